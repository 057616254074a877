//! Sources made to take long: every pass in front of glslang is linear in the source, whatever it holds.

use std::time::{Duration, Instant};

use gallite_shader::{CompileOptions, Limits, LinkInput, Profile, Stage, compile, link};

/// Far more than a linear pass takes with all of these, far less than a quadratic one.
const BOUND: Duration = Duration::from_secs(10);

/// Padding of a million tokens less what a test needs itself.
const PADDING: usize = 400_000;

/// glslang stops here, so that it is the passes that are measured.
const STOP: &str = "\n? ;\n";

#[track_caller]
fn fast(stage: Stage, extension: &str, source: &str) {
    let options = CompileOptions {
        limits: Limits { max_glsl_version: 460, ..Limits::default() }.into(),
        extensions: [extension.to_owned()].into_iter().filter(|e| !e.is_empty()).collect(),
        profile: Profile::Compatibility,
    };
    let begun = Instant::now();
    let shader = compile(stage, source, &options);
    let took = begun.elapsed();
    assert!(!shader.ok, "a source that is meant to be refused was taken");
    assert!(took < BOUND, "{took:?} for {} bytes, refused with: {:.200}", source.len(), shader.log);
}

fn vertex(source: &str) {
    fast(Stage::Vertex, "", source);
}

fn fragment(source: &str) {
    fast(Stage::Fragment, "", source);
}

/// `make` of each number below `count`.
fn each(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect()
}

/// Brackets as deep as they may be, in front of a long text.
fn deep(version: u32, before: &str, open: &str, times: usize, padding: &str) -> String {
    format!("#version {version}\n{STOP}{before}{}{}", open.repeat(times), padding.repeat(PADDING))
}

#[test]
fn comments_in_one_line() {
    fragment(&("/**/".repeat(300_000) + STOP));
}

#[test]
fn subroutines() {
    let head = format!("#version 400\n{STOP}subroutine void T();\n");
    vertex(&(head.clone() + &each(85_000, |i| format!("subroutine(T)void f{i}(){{}}\n"))));
    vertex(&(head.clone() + &each(150_000, |i| format!("subroutine void T{i}();"))));
    let statement = "a b()".repeat(48_000) + ";";
    vertex(&(head.clone() + &statement.repeat(4)));
    let selectors = each(60_000, |i| format!(",s{i}[1]"));
    vertex(&(head.clone() + "subroutine uniform T s[1]" + &selectors + ";" + &"a[0];".repeat(100_000)));
    let calls = "s[".repeat(10) + &"1+".repeat(90_000) + ";";
    vertex(&(head + "subroutine uniform T s[1];" + &calls.repeat(4)));
}

#[test]
fn redeclared_built_ins() {
    let statement = "float a=".to_owned() + &"gl_FragCoord.x+".repeat(49_000) + ";";
    fragment(&format!("#version 330\n{STOP}{}", statement.repeat(4)));
    let statement = "float a=".to_owned() + &"gl_Position.x+".repeat(49_000) + ";";
    vertex(&format!("#version 330\n{STOP}{}", statement.repeat(4)));
}

#[test]
fn layouts() {
    let offsets = "xfb_offset=0,".repeat(45_000);
    vertex(&format!("#version 440\n{STOP}layout({offsets})out B{{float a={};}};", "1+".repeat(95_000)));
    let layout = format!("layout({})out vec4 v;", each(49_000, |i| format!("a{i}=0,")));
    vertex(&format!("#version 330\n{STOP}{}", layout.repeat(4)));
    vertex(&format!("#version 330\n{STOP}{}", ("layout(".repeat(4000) + &"a=".repeat(90_000) + ";").repeat(4)));
}

#[test]
fn names_that_are_hidden() {
    fragment(&format!("#version 330\n{STOP}{}", each(300_000, |i| format!("float{i}_t;"))));
    fragment(&(each(40_000, |i| format!("#extension GL_X{i} : enable\n")) + STOP));
    fragment(&("#extension GL_X : enable\n".repeat(40_000) + STOP));
}

#[test]
fn nested_brackets() {
    fragment(&deep(330, "int x;", "switch(x){", 4000, "a;"));
    fragment(&deep(420, "", "mat2 a={", 4000, "a,"));
    fragment(&deep(330, "", "uniform B{", 4000, "a;"));
    fragment(&deep(330, "", "[ivec2(", 2000, "a;"));
    fragment(&deep(330, "", "struct S{", 4000, "a;"));
    fragment(&format!("#version 330\n{STOP}{}{}", "{int b[];".repeat(4000), "a[0];".repeat(180_000)));
    fragment(&deep(330, "", "float a[]=float[](", 1300, "a;"));
    let statement =
        "const int a=".to_owned() + &"(".repeat(4000) + &"1,".repeat(90_000) + "x,1" + &",1)".repeat(4000) + ";";
    fragment(&format!("#version 330\n{STOP}{}", statement.repeat(4)));
    let structures = "struct{".repeat(4000) + &"a;".repeat(PADDING) + &"}b;".repeat(4000);
    fragment(&format!("#version 110\n{STOP}{structures}"));
    let nested = format!("{STOP}{}{}", "textureSize2DRect(".repeat(4000), "a,".repeat(80_000) + &")".repeat(4000));
    fast(Stage::Fragment, "GL_EXT_gpu_shader4", &format!("#extension GL_EXT_gpu_shader4 : enable\n{nested}"));
}

#[test]
fn macros() {
    fragment(&("#define f(a) ".repeat(150_000) + STOP));
    let names = each(50_000, |i| format!(",p{i}"));
    let call = "f(1".to_owned() + &",1".repeat(50_000) + ")";
    fragment(&format!("#define f(p{names}) {}\n{STOP}{call}", "q;".repeat(150_000)));
}

/// Rules that are broken in many places are looked up in the source for each.
#[test]
fn broken_rules() {
    fragment(&format!("#version 330\nin B{{{}}};\nvoid main(){{}}", each(8000, |i| format!("int a{i};\n"))));
}

/// As many names as a program likes may be asked to be captured.
#[test]
fn captured_names() {
    let shader = compile(Stage::Vertex, "#version 330\nvoid main(){gl_Position=vec4(0);}", &CompileOptions::default());
    let names: Vec<String> = (0..300_000).map(|i| format!("name{i:06}")).collect();
    let begun = Instant::now();
    let linked = link(&LinkInput { shaders: &[shader], xfb_varyings: &names, ..LinkInput::default() });
    assert!(linked.program.is_none() && linked.log.lines().count() < 100);
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
}

/// Sources that compile, linked to a program or refused.
#[track_caller]
fn linked(sources: &[(Stage, String)], bindings: &[(String, u32)], separable: bool) -> bool {
    let options = CompileOptions {
        limits: Limits { max_glsl_version: 460, ..Limits::default() }.into(),
        profile: Profile::Compatibility,
        ..CompileOptions::default()
    };
    let shaders: Vec<_> = (sources.iter())
        .map(|(stage, source)| {
            let shader = compile(*stage, source, &options);
            assert!(shader.ok, "{:.200}", shader.log);
            shader
        })
        .collect();
    let begun = Instant::now();
    let input = LinkInput { shaders: &shaders, attribute_bindings: bindings, separable, ..LinkInput::default() };
    let linked = link(&input);
    let took = begun.elapsed();
    assert!(took < BOUND, "{took:?}, linked with: {:.200}", linked.log);
    linked.ok
}

#[test]
fn many_varyings() {
    let outputs = each(40_000, |i| format!("out float o{i};"));
    let inputs = each(40_000, |i| format!("in float i{i};"));
    let fragment = format!("#version 330\n{inputs}out vec4 c;void main(){{c=vec4(1);}}");
    let vertex = format!("#version 330\n{outputs}void main(){{gl_Position=vec4(0);}}");
    assert!(linked(&[(Stage::Vertex, vertex.clone()), (Stage::Fragment, fragment)], &[], false));
    // Written, and read by nobody.
    let writes = each(15_000, |i| format!("o{i}=1.0;"));
    let vertex = format!("#version 330\n{outputs}void main(){{gl_Position=vec4(0);{writes}}}");
    let fragment = "#version 330\nout vec4 c;void main(){c=vec4(1);}".to_owned();
    assert!(linked(&[(Stage::Vertex, vertex), (Stage::Fragment, fragment)], &[], false));
}

#[test]
fn many_attributes() {
    let head = "#version 330\n";
    let inputs = each(15_000, |i| format!("in float a{i};"));
    let sum = |count| each(count, |i| format!("s+=a{i};"));
    let source = format!("{head}{inputs}void main(){{float s=0.0;{}gl_Position=vec4(s);}}", sum(15_000));
    let bound: Vec<_> = (0..60_000).map(|i| (format!("b{i}"), 0)).collect();
    assert!(!linked(&[(Stage::Vertex, source.clone())], &bound, false), "more inputs than there may be");
    // All at one place, some of them narrower.
    let aliased: Vec<_> = (0..15_000).map(|i| (format!("a{i}"), 0)).collect();
    let source = source.replace("in float a7;", "in vec4 a7;").replace("s+=a7;", "s+=a7.x;");
    assert!(linked(&[(Stage::Vertex, source)], &aliased, false));
}
