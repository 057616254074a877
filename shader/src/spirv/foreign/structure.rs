//! The flow of control of a function (SPIR-V 1.0 section 2.11): every block that can be reached belongs to nested
//! constructs with one way in, and leaves them only where their headers say.
//!
//! The check follows the constructs as a parser would, and every block is met once. Blocks that it never meets cannot be
//! reached and are taken out.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use spirv::Op;

use super::super::module::{Function, Inst};
use super::{Check, refuse};

/// Constructs within constructs, at most.
const DEEPEST: u32 = 64;
/// Blocks of a function, at most.
const MOST_BLOCKS: usize = 1 << 13;

/// A block: the positions of its instructions.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Position of the label in the function.
    pub first: usize,
    /// Position after the terminator.
    pub end: usize,
    /// Where the terminator leads.
    pub targets: Vec<usize>,
}

/// The blocks of a function with what dominates them.
#[derive(Debug, Default)]
pub(super) struct Structure {
    pub blocks: Vec<Block>,
    pub by_label: HashMap<u32, usize>,
    /// Blocks that lead to each block.
    pub from: Vec<Vec<usize>>,
    /// When a walk over the tree of dominators enters and leaves each block.
    spans: Vec<(u32, u32)>,
}

impl Structure {
    /// Whether every way to `b` goes through `a`.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        self.spans[a].0 <= self.spans[b].0 && self.spans[b].1 <= self.spans[a].1
    }
}

/// Whether an instruction ends a block.
fn ends(op: Op) -> bool {
    matches!(
        op,
        Op::Branch | Op::BranchConditional | Op::Switch | Op::Return | Op::ReturnValue | Op::Kill | Op::Unreachable
    )
}

/// Labels that a terminator leads to.
fn labels(inst: &Inst) -> Check<Vec<u32>> {
    let w = &inst.words;
    Ok(match (inst.op, w.len()) {
        (Op::Branch, 1) => vec![w[0]],
        (Op::BranchConditional, 3 | 5) => vec![w[1], w[2]],
        (Op::Switch, n) if n >= 2 && n % 2 == 0 => {
            let mut all = vec![w[1]];
            all.extend(w[2..].chunks_exact(2).map(|pair| pair[1]));
            all
        }
        (Op::Return | Op::Kill | Op::Unreachable, 0) | (Op::ReturnValue, 1) => Vec::new(),
        _ => refuse!("{:?} has the wrong length", inst.op),
    })
}

/// Takes a function apart, checks its constructs, and removes what cannot be reached from it.
pub(super) fn check(function: &mut Function) -> Check<Structure> {
    let mut blocks = Vec::new();
    let mut by_label = HashMap::new();
    let insts = &function.insts;
    let head = insts.iter().position(|i| !matches!(i.op, Op::Function | Op::FunctionParameter)).unwrap_or(0);
    let mut start = None;
    for (i, inst) in insts.iter().enumerate().skip(head) {
        match (start, inst.op) {
            (None, Op::Label) if inst.words.len() == 1 => start = Some(i),
            (None, Op::FunctionEnd) if i + 1 == insts.len() && inst.words.is_empty() => {}
            (None, _) => refuse!("a block begins with {:?}", inst.op),
            (Some(first), op) if ends(op) => {
                let label = insts[first].word(0);
                by_label.insert(label, blocks.len());
                blocks.push(Block { first, end: i + 1, targets: Vec::new() });
                start = None;
            }
            (Some(_), Op::Label | Op::FunctionEnd | Op::Function | Op::FunctionParameter) => {
                refuse!("a block has no end")
            }
            _ => {}
        }
    }
    if blocks.is_empty() || blocks.len() > MOST_BLOCKS {
        refuse!("a function has no blocks, or too many");
    }
    for block in &mut blocks {
        for label in labels(&insts[block.end - 1])? {
            let Some(target) = by_label.get(&label) else { refuse!("a branch leads to no block of its function") };
            if *target == 0 {
                refuse!("a branch leads to the first block of a function");
            }
            block.targets.push(*target);
        }
    }
    let mut parser = Parser {
        insts,
        blocks: &blocks,
        by_label: &by_label,
        visited: vec![false; blocks.len()],
        merges: HashSet::new(),
        extra: Vec::new(),
        falls: HashSet::new(),
        rounds: 0,
    };
    parser.region(0, Exits::default(), 0)?;
    let Parser { visited, extra, .. } = parser;
    if visited.iter().all(|v| *v) {
        return finish(blocks, by_label, &extra);
    }
    // Without the blocks that nothing leads to. Their labels stay behind in no instruction that is left.
    let mut kept: Vec<Inst> = insts[..blocks[0].first].to_vec();
    for (block, _) in blocks.iter().zip(&visited).filter(|(_, v)| **v) {
        kept.extend_from_slice(&insts[block.first..block.end]);
    }
    kept.push(Inst::new(Op::FunctionEnd, &[]));
    function.insts = kept;
    check(function)
}

/// Where a construct may be left.
#[derive(Clone, Debug, Default)]
struct Exits {
    /// Where it ends by itself: the merge block of a selection, the header of the loop for what continues it.
    stop: Option<usize>,
    /// The merge block of the innermost loop.
    loop_merge: Option<usize>,
    /// Where the innermost loop continues.
    continues: Option<usize>,
    /// The merge block of the innermost switch inside of the loop.
    switch_merge: Option<usize>,
    /// The case that this is, and all of its switch, which it may fall through to.
    case: Option<(usize, Rc<HashSet<usize>>)>,
    /// The header and the merge block of the loop whose next round this construct prepares.
    back_to: Option<(usize, usize)>,
}

impl Exits {
    fn has(&self, block: usize) -> bool {
        let all = [self.stop, self.loop_merge, self.continues, self.switch_merge];
        all.contains(&Some(block)) || self.falls(block)
    }

    /// Whether a block is another case.
    fn falls(&self, block: usize) -> bool {
        self.case.as_ref().is_some_and(|(own, all)| *own != block && all.contains(&block))
    }
}

struct Parser<'a> {
    insts: &'a [Inst],
    blocks: &'a [Block],
    by_label: &'a HashMap<u32, usize>,
    visited: Vec<bool>,
    /// Merge blocks and continue targets: each is of one header.
    merges: HashSet<usize>,
    /// Ways from headers to their merge blocks and continue targets, for those that nothing else leads to.
    extra: Vec<(usize, usize)>,
    /// Cases that fall through, and the cases they fall to.
    falls: HashSet<(usize, usize)>,
    /// Ways back to the headers of loops that were met so far.
    rounds: usize,
}

impl Parser<'_> {
    fn block_of(&self, label: u32) -> Check<usize> {
        match self.by_label.get(&label) {
            Some(0) | None => refuse!("a merge instruction names no block"),
            Some(block) => Ok(*block),
        }
    }

    /// A merge block or continue target of one header.
    fn own(&mut self, header: usize, block: usize, exits: &Exits) -> Check {
        if self.visited[block] || exits.has(block) || !self.merges.insert(block) {
            refuse!("a merge block or continue target belongs to two constructs, or comes before its header");
        }
        self.extra.push((header, block));
        Ok(())
    }

    /// Whether a branch to a block leaves the construct.
    fn leaves(&mut self, block: usize, exits: &Exits) -> bool {
        if let Some((own, _)) = exits.case.as_ref().filter(|_| exits.falls(block)) {
            self.falls.insert((*own, block));
        }
        exits.has(block)
    }

    /// Follows blocks until the construct is left.
    fn region(&mut self, mut at: usize, exits: Exits, depth: u32) -> Check {
        if depth > DEEPEST {
            refuse!("constructs are nested too deeply");
        }
        loop {
            if self.leaves(at, &exits) {
                self.rounds += usize::from(exits.back_to.is_some_and(|b| b.0 == at));
                return Ok(());
            }
            if std::mem::replace(&mut self.visited[at], true) {
                refuse!("a block is entered in two ways that no construct allows");
            }
            let block = &self.blocks[at];
            let targets = block.targets.clone();
            let terminator = &self.insts[block.end - 1];
            let merge = if block.end - block.first >= 2 { Some(&self.insts[block.end - 2]) } else { None };
            let merge = merge.filter(|m| matches!(m.op, Op::SelectionMerge | Op::LoopMerge));
            let next = match (merge.map(|m| m.op), terminator.op) {
                (Some(Op::LoopMerge), Op::Branch | Op::BranchConditional) => {
                    self.looped(at, &targets, &exits, depth)?
                }
                (Some(Op::SelectionMerge), Op::BranchConditional | Op::Switch) => {
                    self.selection(at, &targets, &exits, depth)?
                }
                (Some(_), _) => refuse!("a merge instruction before what does not branch"),
                (None, Op::Branch) => targets[0],
                (None, Op::BranchConditional) => {
                    if let Some((header, merge)) = exits.back_to
                        && targets.contains(&header)
                    {
                        // The last block of what continues a loop may end the loop instead.
                        if targets.iter().any(|t| *t != header && *t != merge) {
                            refuse!("a loop is continued and not");
                        }
                        self.rounds += 1;
                        return Ok(());
                    }
                    match (self.leaves(targets[0], &exits), self.leaves(targets[1], &exits)) {
                        (true, true) => return Ok(()),
                        (true, false) => targets[1],
                        (false, true) => targets[0],
                        (false, false) => refuse!("a selection has no merge instruction"),
                    }
                }
                (None, Op::Switch) => refuse!("a switch has no merge instruction"),
                _ => return Ok(()),
            };
            at = next;
        }
    }

    /// A header of a selection; returns its merge block.
    fn selection(&mut self, at: usize, targets: &[usize], exits: &Exits, depth: u32) -> Check<usize> {
        let block = &self.blocks[at];
        let inst = &self.insts[block.end - 2];
        if inst.words.len() != 2 || inst.word(1) > 2 {
            refuse!("a selection merge has the wrong operands");
        }
        let merge = self.block_of(inst.word(0))?;
        self.own(at, merge, exits)?;
        // What continues a loop does so in its last block only, which no selection holds.
        let mut inner = Exits { stop: Some(merge), case: None, back_to: None, ..exits.clone() };
        let mut seen = HashSet::new();
        let cases: Vec<usize> = targets.iter().copied().filter(|t| *t != merge && seen.insert(*t)).collect();
        let is_switch = self.insts[block.end - 1].op == Op::Switch;
        if is_switch {
            if cases.iter().any(|c| exits.has(*c)) {
                refuse!("a case is the end of another construct");
            }
            inner.switch_merge = Some(merge);
        }
        let seen = Rc::new(seen);
        for case in &cases {
            if self.visited[*case] && !inner.has(*case) {
                refuse!("a branch of a selection is entered from elsewhere");
            }
            let case_of = is_switch.then(|| (*case, Rc::clone(&seen)));
            self.region(*case, Exits { case: case_of, ..inner.clone() }, depth + 1)?;
        }
        if is_switch {
            self.check_falls(targets, merge)?;
        }
        Ok(merge)
    }

    /// SPIR-V 1.0 section 2.11: a case falls to the one after it in the list; the default has its place where cases fall
    /// to it.
    fn check_falls(&mut self, targets: &[usize], merge: usize) -> Check {
        let default = targets[0];
        let mut seen = HashSet::new();
        let listed: HashMap<usize, usize> =
            targets[1..].iter().copied().filter(|t| *t != merge && seen.insert(*t)).zip(0..).collect();
        let own: Vec<(usize, usize)> =
            self.falls.iter().copied().filter(|(from, _)| *from == default || listed.contains_key(from)).collect();
        let (mut out, mut into) = (HashSet::new(), HashSet::new());
        for (from, to) in &own {
            self.falls.remove(&(*from, *to));
            if !out.insert(*from) || !into.insert(*to) {
                refuse!("a case falls to two others, or two to one");
            }
            let follows = |a: usize, b: usize| match (listed.get(&a), listed.get(&b)) {
                (Some(a), Some(b)) => a + 1 == *b,
                _ => true,
            };
            let before = own.iter().find(|fall| fall.1 == default).map(|fall| fall.0);
            let fits = match before {
                Some(before) if *from == default => follows(before, *to),
                _ => follows(*from, *to),
            };
            if !fits {
                refuse!("a case falls to one that does not come next");
            }
        }
        Ok(())
    }

    /// A header of a loop; returns its merge block.
    fn looped(&mut self, at: usize, targets: &[usize], exits: &Exits, depth: u32) -> Check<usize> {
        let inst = &self.insts[self.blocks[at].end - 2];
        if inst.words.len() != 3 || inst.word(2) > 3 {
            refuse!("a loop merge has the wrong operands");
        }
        let merge = self.block_of(inst.word(0))?;
        let continues = self.block_of(inst.word(1))?;
        if merge == continues || merge == at {
            refuse!("a loop's merge block is its continue target or its header");
        }
        self.own(at, merge, exits)?;
        if continues == at {
            // The header is the whole loop.
            if targets.iter().any(|t| *t != at && *t != merge) || !targets.contains(&at) {
                refuse!("a loop of one block leads elsewhere");
            }
            return Ok(merge);
        }
        self.own(at, continues, exits)?;
        let inside = Exits { loop_merge: Some(merge), continues: Some(continues), ..Exits::default() };
        let out = |t: &usize| *t == merge || *t == continues;
        let body: Vec<usize> = targets.iter().copied().filter(|t| !out(t)).collect();
        match body[..] {
            [] => {}
            [one] => self.region(one, inside, depth + 1)?,
            _ => refuse!("a loop's header chooses between two bodies"),
        }
        let before = self.rounds;
        let again = Exits { stop: Some(at), back_to: Some((at, merge)), ..Exits::default() };
        self.region(continues, again, depth + 1)?;
        // Loops inside have added theirs in pairs of their own.
        if self.rounds == before {
            refuse!("a loop is never continued");
        }
        self.rounds = before;
        Ok(merge)
    }
}

/// Predecessors and dominators.
fn finish(blocks: Vec<Block>, by_label: HashMap<u32, usize>, extra: &[(usize, usize)]) -> Check<Structure> {
    let count = blocks.len();
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, block) in blocks.iter().enumerate() {
        for target in &block.targets {
            if from[*target].last() != Some(&i) {
                from[*target].push(i);
            }
        }
    }
    let mut next: Vec<Vec<usize>> = blocks.iter().map(|b| b.targets.clone()).collect();
    let mut before = from.clone();
    // Merge blocks and continue targets that nothing reaches hang below their headers.
    let (_, number) = reverse_postorder(&next);
    for (header, block) in extra.iter().filter(|(_, block)| number[*block] == usize::MAX) {
        next[*header].push(*block);
        before[*block].push(*header);
    }
    let (order, number) = reverse_postorder(&next);
    if order.len() != count {
        refuse!("a block cannot be reached");
    }
    let mut dominators = vec![usize::MAX; count];
    dominators[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &b in &order[1..] {
            let mut best = usize::MAX;
            for &p in before[b].iter().filter(|p| dominators[**p] != usize::MAX) {
                best = if best == usize::MAX { p } else { meet(&dominators, &number, p, best) };
            }
            if dominators[b] != best {
                dominators[b] = best;
                changed = true;
            }
        }
    }
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &b in &order[1..] {
        below[dominators[b]].push(b);
        // SPIR-V 1.0 section 2.4: a block stands after those that dominate it.
        if dominators[b] >= b {
            refuse!("a block stands before one that dominates it");
        }
    }
    Ok(Structure { blocks, by_label, from, spans: spans(&below) })
}

/// When a walk over a tree enters and leaves each of its nodes.
fn spans(below: &[Vec<usize>]) -> Vec<(u32, u32)> {
    let mut spans = vec![(0, 0); below.len()];
    let mut clock = 0;
    let mut stack = vec![(0, 0)];
    while let Some((node, edge)) = stack.last_mut() {
        if *edge == 0 {
            clock += 1;
            spans[*node].0 = clock;
        }
        match below[*node].get(*edge) {
            Some(child) => {
                *edge += 1;
                stack.push((*child, 0));
            }
            None => {
                clock += 1;
                spans[*node].1 = clock;
                stack.pop();
            }
        }
    }
    spans
}

/// Blocks from the first on, each before those it leads to except for loops, and the number of each.
fn reverse_postorder(next: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, edge)) = stack.last_mut() {
        match next[*block].get(*edge) {
            Some(target) => {
                *edge += 1;
                if !std::mem::replace(&mut seen[*target], true) {
                    stack.push((*target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    let mut number = vec![usize::MAX; next.len()];
    for (i, block) in order.iter().enumerate() {
        number[*block] = i;
    }
    (order, number)
}

fn meet(dominators: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] > number[b] {
            a = dominators[a];
        }
        while number[b] > number[a] {
            b = dominators[b];
        }
    }
    a
}
