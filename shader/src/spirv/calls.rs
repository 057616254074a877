//! Which functions a module's entry point calls, and what they come to.

use std::collections::HashMap;

use spirv::Op;

use super::module::Module;

/// Functions called within functions, at most: drivers put them in place of their calls, one level after the other.
const DEEPEST: u32 = 256;
/// Instructions that a stage has once each call is the function it calls, at most: as many as the longest module could
/// have. Drivers make that of it, and two calls in each of twenty functions are a million.
const MOST_INSTRUCTIONS: u64 = 1 << 20;

/// What a function is with all that it calls.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    levels: u32,
    instructions: u64,
}

/// The next call of a function from an instruction on.
fn next_call(module: &Module, function: usize, from: usize) -> Option<(usize, u32)> {
    let insts = &module.functions[function].insts;
    let at = from + insts[from..].iter().position(|i| i.op == Op::FunctionCall)?;
    Some((at, insts[at].word(2)))
}

/// Which functions the entry point reaches. Fails where one calls itself in the end, a call is of
/// none, or calls are nested too deeply or come to too much.
pub(crate) fn reachable(module: &Module) -> Result<Vec<bool>, String> {
    let index: HashMap<u32, usize> = module.functions.iter().enumerate().map(|(i, f)| (f.id(), i)).collect();
    let Some(entry) = index.get(&module.entry_function()).copied() else {
        return Err("the entry point is no function".into());
    };
    // What is reached; None while the function is being looked at.
    let mut known: HashMap<usize, Option<Extent>> = HashMap::from([(entry, None)]);
    // Functions that are being looked at, each with its next instruction and what is known of it.
    let own = |at: usize| Extent { levels: 1, instructions: module.functions[at].insts.len() as u64 };
    let mut stack = vec![(entry, 0, own(entry))];
    while let Some((at, next, extent)) = stack.last_mut() {
        let Some((i, callee)) = next_call(module, *at, *next) else {
            if extent.levels > DEEPEST {
                return Err("calls are nested too deeply".into());
            }
            if extent.instructions > MOST_INSTRUCTIONS {
                return Err(format!("functions with all they call come to more than {MOST_INSTRUCTIONS} instructions"));
            }
            known.insert(*at, Some(*extent));
            stack.pop();
            continue;
        };
        let Some(callee) = index.get(&callee).copied() else { return Err("a call is of no function".into()) };
        match known.get(&callee) {
            Some(None) => return Err("a function calls itself".into()),
            Some(Some(below)) => {
                extent.levels = extent.levels.max(below.levels + 1);
                extent.instructions = extent.instructions.saturating_add(below.instructions);
                *next = i + 1;
            }
            None => {
                known.insert(callee, None);
                stack.push((callee, 0, own(callee)));
            }
        }
    }
    Ok((0..module.functions.len()).map(|at| known.contains_key(&at)).collect())
}
