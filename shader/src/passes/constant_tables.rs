//! Subscripts of constants by one variable each. The front end makes a variable of its own for every place where a
//! constant is subscripted dynamically, stores the whole constant there and reads one element back. However many places
//! there are, one variable of the stage with the constant as its initial value serves them all.

use std::collections::{HashMap, HashSet};

use crate::spirv::{Inst, Module, Op, StorageClass, for_each_id};

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    let constants: HashSet<u32> = module
        .globals
        .iter()
        .filter(|g| matches!(g.op, Op::ConstantComposite | Op::ConstantNull))
        .filter_map(Inst::result)
        .collect();
    if constants.is_empty() {
        return;
    }
    let found = tables(module, &constants);
    if found.is_empty() {
        return;
    }
    let pointees: HashMap<u32, u32> =
        module.globals.iter().filter(|g| g.op == Op::TypePointer).map(|g| (g.word(0), g.word(2))).collect();
    let types: HashMap<u32, u32> =
        module.globals.iter().filter_map(|g| Some((g.result()?, g.result_type()?))).collect();
    let private = StorageClass::Private;
    let mut shared: HashMap<u32, u32> = HashMap::new();
    let mut replaced: HashMap<u32, u32> = HashMap::new();
    for (variable, constant) in &found {
        let one = *shared.entry(*constant).or_insert_with(|| {
            let pointer = module.type_pointer(private, types.get(constant).copied().unwrap_or(0));
            module.append_global(Op::Variable, &[pointer, private as u32, *constant])
        });
        replaced.insert(*variable, one);
    }
    for at in 0..module.functions.len() {
        let mut insts = std::mem::take(&mut module.functions[at].insts);
        insts.retain(|inst| match inst.op {
            Op::Variable => !replaced.contains_key(&inst.word(1)),
            Op::Store => !replaced.contains_key(&inst.word(0)),
            _ => true,
        });
        for inst in &mut insts {
            let pointer = match inst.op {
                Op::AccessChain | Op::InBoundsAccessChain | Op::Load => inst.word(2),
                _ => continue,
            };
            let Some(one) = replaced.get(&pointer) else { continue };
            inst.words[2] = *one;
            if inst.op != Op::Load {
                inst.words[0] = module.type_pointer(private, pointees.get(&inst.word(0)).copied().unwrap_or(0));
            }
        }
        module.functions[at].insts = insts;
    }
    module.names.retain(|name| !replaced.contains_key(&name.word(0)));
    module.annotations.retain(|a| !replaced.contains_key(&a.word(0)));
}

/// Variables of functions that hold a constant whenever they are read: it is stored there in one place, and there is no
/// other use than loads, of the whole or of parts. In order, with their constants.
fn tables(module: &Module, constants: &HashSet<u32>) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for function in &module.functions {
        // The constant of each variable, and which one each pointer into them points to.
        let mut stored: HashMap<u32, Option<u32>> = HashMap::new();
        let mut parts: HashMap<u32, u32> = HashMap::new();
        let mut order = Vec::new();
        let mut other: HashSet<u32> = HashSet::new();
        for inst in &function.insts {
            let pointer = match inst.op {
                Op::Variable => {
                    // One with an initial value has that one too.
                    if inst.words.len() == 3 {
                        stored.insert(inst.word(1), None);
                        order.push(inst.word(1));
                    }
                    continue;
                }
                Op::Store if stored.get(&inst.word(0)) == Some(&None) && constants.contains(&inst.word(1)) => {
                    stored.insert(inst.word(0), Some(inst.word(1)));
                    continue;
                }
                Op::AccessChain | Op::InBoundsAccessChain if stored.contains_key(&inst.word(2)) => {
                    parts.insert(inst.word(1), inst.word(2));
                    inst.word(2)
                }
                Op::Load => inst.word(2),
                _ => 0,
            };
            for_each_id(inst, |id| {
                let used = if stored.contains_key(&id) { Some(id) } else { parts.get(&id).copied() };
                let defined = inst.result() == Some(id);
                if let Some(variable) = used
                    && id != pointer
                    && !defined
                {
                    other.insert(variable);
                }
            });
        }
        let known = |variable: &u32| Some((*variable, (*stored.get(variable)?)?));
        out.extend(order.iter().filter(|v| !other.contains(v)).filter_map(known));
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{CompileOptions, Limits, LinkInput, LinkResult, Stage, compile, link};

    fn linked(declarations: &str, body: &str) -> LinkResult {
        let source = format!(
            "#version 430\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B {{ int at; int sum; }};
{declarations}\nvoid main() {{ {body} }}\n"
        );
        let limits = Limits { max_glsl_version: 430, ..Limits::default() };
        let options = CompileOptions { limits: limits.into(), ..CompileOptions::default() };
        let shader = compile(Stage::Compute, &source, &options);
        assert!(shader.ok, "{}", shader.log);
        link(&LinkInput { shaders: &[shader], ..LinkInput::default() })
    }

    /// Instructions that store into variables, and variables.
    fn counts(result: &LinkResult) -> (usize, usize) {
        let program = result.program.as_ref().expect("a linked program");
        let words = program.stages[Stage::Compute.index()].as_ref().expect("a stage");
        let module = crate::spirv::Module::parse(words).expect("a module");
        let insts = module.functions.iter().flat_map(|f| &f.insts);
        let of = |op| insts.clone().filter(|i| i.op == op).count();
        (of(crate::spirv::Op::Store), of(crate::spirv::Op::Variable))
    }

    const TABLE: &str = "const int t[4] = int[4](1, 2, 3, 4);";

    #[test]
    fn places_share_one_variable() {
        let reads = |count: usize| {
            let sum = vec!["t[at]"; count].join(" + ");
            counts(&linked(TABLE, &format!("sum = {sum};")))
        };
        assert_eq!(reads(1), reads(5));
        assert_eq!(reads(5), (1, 0));
    }

    #[test]
    fn large_tables_are_read_in_many_places() {
        let values = (0..4096).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
        let table = format!("const int t[4096] = int[4096]({values});");
        let result = linked(&table, &format!("sum = {};", vec!["t[at]"; 40].join(" + ")));
        assert!(result.ok, "{}", result.log);
    }

    #[test]
    fn variables_that_change_stay() {
        let arrays = "int a[4] = t; int b[4] = t;";
        let (_, kept) = counts(&linked(TABLE, &format!("{arrays} a[at] = 7; b = a; sum = a[at] + b[at];")));
        assert_eq!(kept, 2);
        let through = format!("{TABLE}\nvoid f(inout int x[4]) {{ x[at]++; }}");
        let (_, kept) = counts(&linked(&through, "int a[4] = t; f(a); sum = a[at];"));
        assert!(kept >= 1);
        let (_, kept) = counts(&linked(TABLE, "int a[4] = t; if (at > 2) a = int[4](5, 6, 7, 8); sum = a[at];"));
        assert_eq!(kept, 1);
    }
}
