//! Items to batches, batches to answers; a batch that is refused is halved, down to the item that is at fault.

use std::num::NonZero;

use mrmr_core::Result;

use super::client::{Client, Failed, Sizes};
use super::convention::Room;
use super::item::{Item, Kind};
use crate::runtime::Workers;

/// What became of an item: a value, or why there is none.
pub(crate) type Outcome<T> = Result<T, String>;

/// The places of items, in batches that keep all limits; each batch has one kind of items unless kinds mix.
fn batches(
    items: &[(usize, Item)],
    room: Room,
    mixes_kinds: bool,
    sizes: Sizes,
    tokens_before: usize,
) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    if !mixes_kinds {
        order.sort_by_key(|place| items[*place].1.kind());
    }
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let (mut kind, mut bytes, mut tokens) = (Kind::Text, 0, 0);
    for place in order {
        let item = &items[place].1;
        let most = room.of(item.kind()).min(sizes.items.unwrap_or(usize::MAX));
        let (more_bytes, more_tokens) = (item.bytes(), item.tokens() + tokens_before);
        let fits = |batch: &Vec<usize>| {
            batch.len() < most
                && (mixes_kinds || kind == item.kind())
                && bytes + more_bytes <= sizes.bytes
                && tokens + more_tokens <= sizes.tokens
        };
        match batches.last_mut().filter(|batch| fits(batch)) {
            Some(batch) => batch.push(place),
            None => {
                batches.push(vec![place]);
                (bytes, tokens) = (0, 0);
            }
        }
        kind = item.kind();
        bytes += more_bytes;
        tokens += more_tokens;
    }
    batches
}

/// How items are put into requests.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) room: Room,
    pub(crate) mixes_kinds: bool,
    pub(crate) sizes: Sizes,
    /// Tokens that each item brings along: those of the query in a reranker.
    pub(crate) tokens_before: usize,
}

/// Asks for all items, several requests at once; `ask(items, tokens)` is one request, with an outcome an item.
///
/// Given back are the outcomes with the numbers that the items came with, ascending.
pub(crate) fn run<T: Send>(
    client: &Client,
    items: &[(usize, Item)],
    plan: Plan,
    ask: impl Fn(&[&Item], usize) -> Result<Vec<Outcome<T>>, Failed> + Sync,
) -> Result<Vec<(usize, Outcome<T>)>> {
    let tasks = batches(
        items,
        plan.room,
        plan.mixes_kinds,
        plan.sizes,
        plan.tokens_before,
    );
    let workers = Workers::new(NonZero::new(client.workers().min(tasks.len())));
    let done = workers.run(tasks.len(), |_, task| {
        let mut outcomes = Vec::with_capacity(tasks[task].len());
        halving(&tasks[task], &mut outcomes, &|places| {
            let batch: Vec<&Item> = places.iter().map(|place| &items[*place].1).collect();
            let tokens = batch
                .iter()
                .map(|item| item.tokens() + plan.tokens_before)
                .sum();
            ask(&batch, tokens)
        })?;
        Ok(outcomes)
    })?;
    let mut outcomes: Vec<(usize, Outcome<T>)> = done
        .into_iter()
        .flatten()
        .map(|(place, outcome)| (items[place].0, outcome))
        .collect();
    outcomes.sort_by_key(|(number, _)| *number);
    Ok(outcomes)
}

type Asking<'a, T> = dyn Fn(&[usize]) -> Result<Vec<Outcome<T>>, Failed> + 'a;

fn halving<T>(
    places: &[usize],
    outcomes: &mut Vec<(usize, Outcome<T>)>,
    ask: &Asking<'_, T>,
) -> Result<()> {
    match ask(places) {
        Ok(made) => outcomes.extend(places.iter().copied().zip(made)),
        Err(Failed::Ended(error)) => return Err(error),
        Err(Failed::Refused(reason)) => match places {
            [place] => outcomes.push((*place, Err(reason))),
            _ => {
                let (left, right) = places.split_at(places.len() / 2);
                halving(left, outcomes, ask)?;
                halving(right, outcomes, ask)?;
            }
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(texts: &[&str]) -> Vec<(usize, Item)> {
        let items = texts
            .iter()
            .map(|text| Item::new(&(*text).into(), None).unwrap());
        items.enumerate().collect()
    }

    const LARGE: Sizes = Sizes {
        items: None,
        bytes: usize::MAX,
        tokens: usize::MAX,
    };

    #[test]
    fn the_smallest_of_all_limits_ends_a_batch() {
        let many = items(&["abc"; 5]);
        let cut = |room, sizes| batches(&many, Room::texts(room), false, sizes, 0);
        assert_eq!(cut(2, LARGE), [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!(
            cut(
                9,
                Sizes {
                    items: Some(4),
                    ..LARGE
                }
            ),
            [vec![0, 1, 2, 3], vec![4]]
        );
        assert_eq!(
            cut(9, Sizes { tokens: 9, ..LARGE }),
            [vec![0, 1, 2], vec![3, 4]]
        );
        assert_eq!(
            cut(
                9,
                Sizes {
                    bytes: 67 * 2,
                    ..LARGE
                }
            ),
            [vec![0, 1], vec![2, 3], vec![4]]
        );
        // What is too large by itself goes alone.
        assert_eq!(cut(9, Sizes { bytes: 1, ..LARGE }).len(), 5);
    }

    #[test]
    fn halving_finds_the_items_at_fault_and_the_others_stand() {
        let asked = std::cell::RefCell::new(0);
        let ask = |places: &[usize]| {
            *asked.borrow_mut() += 1;
            match places.contains(&5) {
                true => Err(Failed::Refused("no".to_owned())),
                false => Ok(places.iter().map(|place| Ok(*place)).collect()),
            }
        };
        let mut outcomes = Vec::new();
        halving(&[0, 1, 2, 3, 4, 5, 6, 7], &mut outcomes, &ask).unwrap();
        let good = |place: usize| {
            (
                place,
                if place == 5 {
                    Err("no".to_owned())
                } else {
                    Ok(place)
                },
            )
        };
        assert_eq!(outcomes, (0..8).map(good).collect::<Vec<_>>());
        assert_eq!(*asked.borrow(), 7);
    }
}
