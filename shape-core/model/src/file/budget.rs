//! What decoding may cost.
//!
//! Two bytes on the wire are an empty node, and an empty node takes hundreds of bytes of memory, so a small hostile file
//! could ask for a hundred times its own size. Every list that grows and every box that is made is therefore paid for
//! out of an allowance that follows from the length of the file. Strings and element data are free: they are never
//! longer than the bytes that they were read from.
//!
//! The account is kept per thread, since `prost` hands nothing of the caller's down to the place where a list grows.

use std::cell::Cell;

use bytes::Buf;
use prost::encoding::{WireType, check_wire_type};
use prost::{DecodeError, Message};

/// How deep messages may nest: where `prost` stops too.
pub(super) const LEVELS: u32 = 100;

const BASE: usize = 64 << 20;
const PER_BYTE: usize = 24;

/// Why decoding stopped, and where.
#[derive(Debug)]
pub(super) struct Failure {
    /// Bytes from the beginning to where the decoder stood.
    pub(super) offset: usize,
    pub(super) reason: Reason,
}

#[derive(Debug)]
pub(super) enum Reason {
    Malformed(DecodeError),
    TooDeep,
    OverBudget { allowance: usize },
}

#[derive(Clone, Copy)]
enum Refusal {
    Levels,
    Memory,
}

#[derive(Clone, Copy)]
struct Account {
    left: usize,
    levels: u32,
    refusal: Option<Refusal>,
}

thread_local! {
    // Unlimited outside of `decode`: a caller of `prost`'s own functions chose to trust its input.
    static ACCOUNT: Cell<Account> =
        const { Cell::new(Account { left: usize::MAX, levels: u32::MAX, refusal: None }) };
}

/// Decodes one message that `buf` is full of, within an allowance of 64 MiB and 24 bytes for each byte given.
pub(super) fn decode<M: Message + Default>(buf: &mut impl Buf) -> Result<M, Failure> {
    let allowance = buf.remaining().saturating_mul(PER_BYTE).saturating_add(BASE);
    decode_within(buf, allowance)
}

pub(super) fn decode_within<M: Message + Default>(buf: &mut impl Buf, allowance: usize) -> Result<M, Failure> {
    let before = ACCOUNT.replace(Account { left: allowance, levels: LEVELS, refusal: None });
    let len = buf.remaining();
    let decoded = M::decode(&mut *buf);
    let account = ACCOUNT.replace(before);
    decoded.map_err(|error| Failure {
        offset: len - buf.remaining(),
        reason: match account.refusal {
            None => Reason::Malformed(error),
            Some(Refusal::Levels) => Reason::TooDeep,
            Some(Refusal::Memory) => Reason::OverBudget { allowance },
        },
    })
}

/// Takes `size` bytes of memory off the allowance.
pub(super) fn spend(size: usize) -> Result<(), DecodeError> {
    let account = ACCOUNT.get();
    match account.left.checked_sub(size) {
        Some(left) => {
            ACCOUNT.set(Account { left, ..account });
            Ok(())
        }
        None => refuse(Refusal::Memory),
    }
}

/// Runs `merge` one level deeper.
pub(super) fn nested(merge: impl FnOnce() -> Result<(), DecodeError>) -> Result<(), DecodeError> {
    let account = ACCOUNT.get();
    let Some(levels) = account.levels.checked_sub(1) else {
        return refuse(Refusal::Levels);
    };
    ACCOUNT.set(Account { levels, ..account });
    let merged = merge();
    let inner = ACCOUNT.get();
    ACCOUNT.set(Account { levels: account.levels, ..inner });
    merged
}

fn refuse(refusal: Refusal) -> Result<(), DecodeError> {
    ACCOUNT.set(Account { refusal: Some(refusal), ..ACCOUNT.get() });
    // prost lets nobody else make its error with a text of their own; `decode` looks at the refusal instead.
    check_wire_type(WireType::StartGroup, WireType::EndGroup)
}
