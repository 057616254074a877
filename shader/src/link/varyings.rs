//! Varyings between stages (GL 4.6 core section 7.4.1, GLSL 4.60 section 4.3.4): matched by name,
//! given agreed locations, or removed where nobody reads them.

use std::collections::HashMap;

use super::attributes::read_part;
use super::{Linker, StageUnit, pack, rules};
use crate::link::interface::IoVar;
use crate::link::types::location_bits as mask;
use crate::reflection::MADE_UP;
use crate::spirv::{Module, Op, StorageClass, Ty, TypeTable};
use crate::stage::Stage;

/// What a consumer's input is called by its producer. The legacy colours change name on the way.
fn producer_name(name: &str) -> &str {
    match name {
        "gl_Color" => "gl_FrontColor",
        "gl_SecondaryColor" => "gl_FrontSecondaryColor",
        other => other,
    }
}

/// A type without the array over vertices.
pub(super) fn per_vertex(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(t, _) => t,
        ty => ty,
    }
}

/// Whether a variable of a stage is an array over vertices: inputs of geometry and tessellation stages, outputs of a
/// control stage.
pub(super) fn is_arrayed(stage: Stage, output: bool, v: &IoVar) -> bool {
    let arrayed = match stage {
        Stage::Geometry | Stage::TessEvaluation => !output,
        Stage::TessControl => true,
        _ => false,
    };
    arrayed && !v.patch
}

/// The type of an input per vertex.
fn consumer_type(stage: Stage, input: &IoVar) -> &Ty {
    if is_arrayed(stage, false, input) { per_vertex(&input.ty) } else { &input.ty }
}

/// The type of an output per vertex.
fn producer_type(stage: Stage, output: &IoVar) -> &Ty {
    if is_arrayed(stage, true, output) { per_vertex(&output.ty) } else { &output.ty }
}

/// Links each pair of neighbouring stages. `captured` lists outputs that transform feedback keeps
/// alive in the last pre-rasterisation stage.
pub(super) fn link(linker: &mut Linker<'_>, captured: &[u32]) {
    for consumer in 1..linker.stages.len() {
        link_pair(linker, consumer - 1, consumer, captured);
    }
    place_first_inputs(linker);
    let Some(last) = linker.stages.iter().rposition(|s| s.stage != Stage::Fragment) else { return };
    if last + 1 == linker.stages.len() && !linker.input.separable {
        // No fragment stage: only what is captured stays.
        finish_outputs(linker, last, &[], captured);
    } else if last + 1 == linker.stages.len() {
        place_by_declaration(linker, last, true);
    }
}

/// Inputs of a first stage that is no vertex shader.
fn place_first_inputs(linker: &mut Linker<'_>) {
    if linker.stages.first().is_some_and(|s| s.stage != Stage::Vertex) {
        if linker.input.separable {
            place_by_declaration(linker, 0, false);
        } else {
            // A lone fragment shader: its inputs are undefined.
            let unit = &mut linker.stages[0];
            let read = unit.declared.inputs.iter().filter(|v| v.built_in.is_none() && unit.used.contains(&v.id));
            unit.module.demote_all_to_private(&read.map(|v| v.id).collect::<Vec<_>>());
        }
    }
}

/// Separable programs meet their neighbours only at draw time: explicit locations count, the
/// others follow the order of names so that equal declarations agree.
fn place_by_declaration(linker: &mut Linker<'_>, stage: usize, outputs: bool) {
    let unit = &mut linker.stages[stage];
    let places = declared_locations(unit, outputs);
    let vars = if outputs { &unit.declared.outputs } else { &unit.declared.inputs };
    let mut located = Vec::new();
    for v in vars.iter().filter(|v| unit.used.contains(&v.id)) {
        let Some(&location) = places.get(&v.id) else { continue };
        if outputs {
            let end = location.saturating_add(producer_type(unit.stage, v).slots());
            unit.next_output_location = unit.next_output_location.max(end);
        }
        located.push((v.id, location));
    }
    unit.module.locate(&located);
}

/// The locations that follow from a stage's declarations of inputs or outputs alone, by variable.
pub(super) fn declared_locations(unit: &StageUnit, outputs: bool) -> HashMap<u32, u32> {
    let vars = if outputs { &unit.declared.outputs } else { &unit.declared.inputs };
    let mut placed = HashMap::new();
    let mut open: Vec<(&str, u32, u32)> = Vec::new();
    let mut taken = 0u64;
    for v in vars.iter().filter(|v| v.built_in.is_none()) {
        let ty = if outputs { producer_type(unit.stage, v) } else { consumer_type(unit.stage, v) };
        let slots = ty.slots();
        match v.location {
            Some(l) => {
                taken |= mask(l, slots);
                placed.insert(v.id, l);
            }
            None => open.push((&v.name, v.id, slots)),
        }
    }
    open.sort_unstable();
    for (_, id, slots) in open {
        let location = (0..64).find(|l| taken & mask(*l, slots) == 0).unwrap_or(0);
        taken |= mask(location, slots);
        placed.insert(id, location);
    }
    placed
}

fn link_pair(linker: &mut Linker<'_>, producer: usize, consumer: usize, captured: &[u32]) {
    let consumer_stage = linker.stages[consumer].stage;
    let mut errors = Vec::new();
    // (producer variable, consumer variable or 0, slots)
    let mut matched: Vec<(u32, u32, u32)> = Vec::new();
    let mut unmatched: Vec<u32> = Vec::new();
    let mut narrowed: Vec<(u32, Ty)> = Vec::new();
    // Of vertices and of the patch.
    let mut components = [0u32; 2];
    {
        let from = &linker.stages[producer];
        let to = &linker.stages[consumer];
        // GL 4.6 core 7.4.1: between programs of a pipeline that don't match, values are undefined and nothing fails.
        let strangers = from.space != to.space;
        let outputs = Outputs::new(&from.declared.outputs);
        for input in to.declared.inputs.iter().filter(|i| i.built_in.is_none()) {
            let used = to.used.contains(&input.id);
            let wanted = consumer_type(consumer_stage, input);
            let Some(output) = outputs.of(input) else {
                // Only a statically used input needs a declaration on the other side.
                if used {
                    if !input.name.starts_with("gl_") && !strangers {
                        errors.push(format!(
                            "{} shader input `{}' has no matching output in the previous stage",
                            consumer_stage.name(),
                            input.name
                        ));
                    }
                    unmatched.push(input.id);
                }
                continue;
            };
            let mut faults = Vec::new();
            let narrow = is_narrower(from.stage, to.stage, output, input);
            let expected = if narrow { producer_type(from.stage, output) } else { wanted };
            check_pair(&mut faults, from, to, output, input, expected);
            if narrow && used && from.used.contains(&output.id) {
                narrowed.push((input.id, producer_type(from.stage, output).clone()));
            }
            if !used {
                if !strangers {
                    errors.append(&mut faults);
                }
                continue;
            }
            if strangers && !narrow && !meets(from.stage, output, input, wanted) {
                unmatched.push(input.id);
                continue;
            }
            if !strangers {
                errors.append(&mut faults);
                rules::check_read(&mut errors, from, to, output, input);
            }
            let components = &mut components[usize::from(input.patch)];
            *components = components.saturating_add(wanted.components());
            if from.used.contains(&output.id) {
                matched.push((output.id, input.id, wanted.slots()));
            } else {
                // Declared but never written: the value is undefined, zero will do.
                unmatched.push(input.id);
            }
        }
    }
    if linker.stages[producer].space == linker.stages[consumer].space {
        check_blocks(&mut errors, &linker.stages[producer], &linker.stages[consumer]);
        if consumer_stage == Stage::Fragment && !linker.input.completed {
            rules::check_colors(&mut errors, &linker.stages[producer], &linker.stages[consumer]);
        }
        if linker.input.separable {
            check_redeclared(&mut errors, &linker.stages[producer], &linker.stages[consumer]);
        }
    }
    let limits = &linker.input.limits;
    let limit = match consumer_stage {
        Stage::Fragment => limits.max_fragment_input_components,
        Stage::TessControl => limits.max_tess_control_input_components,
        Stage::TessEvaluation => limits.max_tess_evaluation_input_components,
        _ => limits.max_geometry_input_components,
    };
    for (components, limit) in components.into_iter().zip([limit, limits.max_tess_patch_components]) {
        if components > limit {
            errors.push(format!(
                "{} shader uses too many varying components ({components} > {limit})",
                consumer_stage.name()
            ));
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    if linker.failed {
        return;
    }
    linker.stages[consumer].module.demote_all_to_private(&unmatched);
    for (id, ty) in narrowed {
        let wide = widen(&mut linker.stages[consumer].module, id, &ty);
        matched.iter_mut().filter(|m| m.1 == id).for_each(|m| m.1 = wide);
    }
    let is_last = consumer_stage == Stage::Fragment;
    let keep: &[u32] = if is_last { captured } else { &[] };
    let plan = pack::plan(linker, producer, consumer, &matched, keep);
    matched.retain(|pair| !plan.has(pair));
    let located = finish_outputs(linker, producer, &matched, keep);
    let next = linker.stages[producer].next_output_location;
    let next = pack::apply(linker, producer, consumer, plan, next);
    linker.stages[producer].next_output_location = next;
    let most = pack::locations(linker, linker.stages[producer].stage, consumer_stage);
    if next > most {
        linker.error(&format!("varyings take too many locations ({next} > {most})"));
    }
    let places: HashMap<u32, u32> = located.into_iter().collect();
    let located: Vec<(u32, u32)> =
        matched.iter().map(|(output, input, _)| (*input, places.get(output).copied().unwrap_or(0))).collect();
    linker.stages[consumer].module.locate(&located);
}

/// GL 4.6 core 7.4.2: between modules of SPIR-V, a vector of 32-bit numbers may be read as a shorter one.
fn is_narrower(from: Stage, to: Stage, output: &IoVar, input: &IoVar) -> bool {
    let made_up = input.name.contains(MADE_UP) && output.name.contains(MADE_UP);
    let (Ty::Basic(given), Ty::Basic(wanted)) = (producer_type(from, output), &input.ty) else { return false };
    let vectors = given.columns == 1 && wanted.columns == 1 && given.scalar == wanted.scalar;
    made_up && vectors && !given.scalar.is_long() && given.rows > wanted.rows && !is_arrayed(to, false, input)
}

/// Makes a longer input of which `narrow` holds the first components.
fn widen(module: &mut Module, narrow: u32, ty: &Ty) -> u32 {
    let rows = ty.shape().map_or(1, |shape| u32::from(shape.rows));
    let component = {
        let table = TypeTable::new(module);
        let value = table.value_type(narrow);
        table.def(value).filter(|d| d.op == Op::TypeVector).map_or(value, |d| d.word(1))
    };
    let value = module.type_vector(component, rows);
    let wide = module.add_variable(StorageClass::Input, value);
    module.copy_annotations(Op::Decorate, narrow, wide);
    read_part(module, narrow, wide);
    wide
}

/// GLSL 1.50 section 4.3.7: blocks of one name have the same members in the same order.
fn check_blocks(errors: &mut Vec<String>, from: &StageUnit, to: &StageUnit) {
    // Of several the first counts.
    let outputs: HashMap<&str, _> = from.declared.output_blocks.iter().rev().map(|b| (b.name.as_str(), b)).collect();
    for input in &to.declared.input_blocks {
        let output = outputs.get(input.name.as_str());
        if output.is_some_and(|output| output.members != input.members) {
            errors.push(format!("definitions of interface block `{}' do not match", input.name));
        }
    }
    if to.stage != Stage::Fragment && !from.per_vertex[1].agrees(&to.per_vertex[0]) {
        errors.push(format!(
            "gl_PerVertex is not redeclared alike in the {} and the {} shader",
            from.stage.name(),
            to.stage.name()
        ));
    }
}

/// GLSL 4.60 section 7.1.1: what stages of a separable program hand on in the built-in block is redeclared.
fn check_redeclared(errors: &mut Vec<String>, from: &StageUnit, to: &StageUnit) {
    let block = &to.per_vertex[0];
    let missing = from.per_vertex[1].members.is_none() || block.members.is_none();
    if to.stage != Stage::Fragment && block.used && missing {
        errors.push(format!(
            "gl_PerVertex must be redeclared in the {} and the {} shader of a separable program",
            from.stage.name(),
            to.stage.name()
        ));
    }
}

/// A stage's outputs by what inputs find them by (GL 4.6 core 7.4.1): location where both have one, name where neither has.
struct Outputs<'a> {
    /// By location and component.
    located: HashMap<(u32, u32), &'a IoVar>,
    /// With their place in the order of declaration.
    named: HashMap<&'a str, (usize, &'a IoVar)>,
}

impl<'a> Outputs<'a> {
    fn new(outputs: &'a [IoVar]) -> Self {
        let mut all = Self { located: HashMap::new(), named: HashMap::new() };
        for (at, output) in outputs.iter().enumerate().filter(|(_, o)| o.built_in.is_none()) {
            match output.location {
                Some(location) => _ = all.located.entry((location, output.component)).or_insert(output),
                None => _ = all.named.entry(&output.name).or_insert((at, output)),
            }
        }
        all
    }

    /// The output that an input reads.
    fn of(&self, input: &IoVar) -> Option<&'a IoVar> {
        if let Some(location) = input.location {
            return self.located.get(&(location, input.component)).copied();
        }
        let names = [producer_name(&input.name), &input.name];
        names.into_iter().filter_map(|name| self.named.get(name)).min_by_key(|found| found.0).map(|found| found.1)
    }
}

/// Whether an output can be read as an input: both are of one type, of a patch or of a vertex.
fn meets(producer: Stage, output: &IoVar, input: &IoVar, wanted: &Ty) -> bool {
    let given = producer_type(producer, output);
    output.patch == input.patch && (given == wanted || input.name.starts_with("gl_") || same_but_name(given, wanted))
}

fn check_pair(errors: &mut Vec<String>, from: &StageUnit, to: &StageUnit, output: &IoVar, input: &IoVar, wanted: &Ty) {
    // GLSL 1.50 section 4.6.1; a pragma says nothing of inputs, and GLSL 4.20 and ESSL 3.00 dropped the rule.
    let version = from.version.max(to.version);
    let must_share_invariance = !from.all_invariant && version < if from.es { 300 } else { 420 };
    // GLSL 4.40 section 4.5 dropped the rule between stages.
    let must_share_interpolation = from.es || version < 440;
    let (from, to) = (from.stage, to.stage);
    // GLSL 4.60 section 4.3.6: per-patch outputs meet per-patch inputs.
    if output.patch != input.patch {
        errors.push(format!(
            "{} shader output `{}' and {} shader input are not both per patch",
            from.name(),
            output.name,
            to.name()
        ));
        return;
    }
    let given = producer_type(from, output);
    // Legacy arrays (gl_TexCoord) are sized by each stage for itself.
    let legacy = input.name.starts_with("gl_");
    if given != wanted && !legacy && !same_but_name(given, wanted) {
        errors.push(format!(
            "{} shader output `{}' declared as type `{}', but {} shader input declared as type `{}'",
            from.name(),
            output.name,
            given.spell(),
            to.name(),
            wanted.spell()
        ));
    }
    if output.invariant != input.invariant && !legacy && must_share_invariance {
        errors.push(format!(
            "{} shader output `{}' and {} shader input are not both invariant",
            from.name(),
            output.name,
            to.name()
        ));
    }
    // ARB_gpu_shader5; GLSL 4.30 section 4.3.4 lets auxiliary qualifiers differ.
    if to == Stage::Fragment && !legacy && version < 430 && output.sample != input.sample {
        errors.push(format!(
            "{} shader output `{}' and fragment shader input are not both `sample'",
            from.name(),
            output.name
        ));
    }
    // GL 4.6 core 7.4.2: interpolation need not match between modules of SPIR-V.
    let says = must_share_interpolation && !legacy && !input.name.contains(MADE_UP);
    if to == Stage::Fragment && says && (output.flat != input.flat || output.no_perspective != input.no_perspective) {
        errors.push(format!(
            "{} shader output `{}' and {} shader input have different interpolation qualifiers",
            from.name(),
            output.name,
            to.name()
        ));
    }
}

/// Members of split blocks and structs compare by shape; struct names must agree in GLSL but
/// implementations accept anonymous ones.
fn same_but_name(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Struct(a), Ty::Struct(b)) => a.members == b.members,
        _ => false,
    }
}

/// Gives matched and kept outputs consecutive locations and makes the others private.
fn finish_outputs(
    linker: &mut Linker<'_>,
    producer: usize,
    matched: &[(u32, u32, u32)],
    keep: &[u32],
) -> Vec<(u32, u32)> {
    let most = linker.input.limits.max_tess_evaluation_input_components / 4;
    let unit = &mut linker.stages[producer];
    let mut located = Vec::new();
    let mut of_patch = Vec::new();
    // Locations of vertices and of the patch.
    let mut next = [0u32; 2];
    let mut dead = Vec::new();
    // Several inputs may read one output; the first counts.
    let read: HashMap<u32, u32> = matched.iter().rev().map(|m| (m.0, m.2)).collect();
    for output in unit.declared.outputs.iter().filter(|o| o.built_in.is_none() && unit.used.contains(&o.id)) {
        let consumer_slots = read.get(&output.id).copied();
        // Invocations of a control stage read each other's outputs, so those stay.
        let shared = unit.stage == Stage::TessControl;
        if consumer_slots.is_none() && !keep.contains(&output.id) && !shared {
            dead.push(output.id);
            continue;
        }
        let (list, next) = if output.patch { (&mut of_patch, &mut next[1]) } else { (&mut located, &mut next[0]) };
        list.push((output.id, *next));
        *next += producer_type(unit.stage, output).slots().max(consumer_slots.unwrap_or(0));
    }
    // GL 4.6 core 11.2.1.2 limits what is written of a patch and of its vertices apart. Where both together are more than
    // there are locations, each begins with the first one.
    let first = if next[0] + next[1] <= most { next[0] } else { 0 };
    located.extend(of_patch.iter().map(|(id, location)| (*id, first + location)));
    unit.module.demote_all_to_private(&dead);
    unit.module.locate(&located);
    unit.next_output_location = next[0] + next[1];
    located
}

#[cfg(test)]
mod tests {
    use crate::spirv::{Decoration, Module, StorageClass};
    use crate::{CompileOptions, Limits, LinkInput, Stage, compile, link};

    /// Locations of the control stage's outputs, vertices' before the patch's.
    fn locations(size: u32) -> Vec<u32> {
        let limits = std::sync::Arc::new(Limits { max_glsl_version: 400, ..Limits::default() });
        let options = CompileOptions { limits: limits.clone(), ..CompileOptions::default() };
        let vertex = "#version 400\nvoid main() { gl_Position = vec4(0.0); }\n".to_owned();
        let control = format!(
            "#version 400\nlayout(vertices = 1) out; out V {{ vec2 v[{size}]; }} all[]; patch out vec2 p[{size}];
            void main() {{ all[gl_InvocationID].v[gl_PrimitiveID] = vec2(1.0); p[gl_PrimitiveID] = vec2(2.0); }}\n"
        );
        let evaluation = format!(
            "#version 400\nlayout(quads) in; in V {{ vec2 v[{size}]; }} all[]; patch in vec2 p[{size}];
            void main() {{ gl_Position = vec4(all[0].v[gl_PrimitiveID], p[gl_PrimitiveID]); }}\n"
        );
        let stages = [(Stage::Vertex, vertex), (Stage::TessControl, control), (Stage::TessEvaluation, evaluation)];
        let shaders = stages.map(|(stage, source)| compile(stage, &source, &options));
        let result = link(&LinkInput { shaders: &shaders, limits, ..LinkInput::default() });
        let program = result.program.expect(&result.log);
        let words = program.stages[Stage::TessControl.index()].as_ref().expect("a stage");
        let module = Module::parse(words).expect("a module");
        let outputs = module.variables().into_iter().filter(|v| v.3 == StorageClass::Output as u32);
        let mut found: Vec<(bool, u32)> = outputs
            .filter_map(|v| {
                let patch = module.decoration(v.2, Decoration::Patch).is_some();
                Some((patch, module.decoration(v.2, Decoration::Location)?))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, location)| location).collect()
    }

    #[test]
    fn a_patch_and_its_vertices_have_locations() {
        assert_eq!(locations(16), [0, 16]);
        assert_eq!(locations(30), [0, 0]);
    }
}
