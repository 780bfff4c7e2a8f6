//! Credit: several small pieces of work for one unit of work.

use giveway_core::Fuel;

/// Pieces of work that are paid for and not done yet. Pieces that take a fraction of the time of an expansion cost a
/// fraction of a unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Credit {
    pieces: u64,
}

impl Credit {
    /// A credit of so many pieces.
    pub(super) fn of(pieces: u64) -> Self {
        Self { pieces }
    }

    /// The pieces that are paid for and not done.
    pub(super) fn pieces(self) -> u64 {
        self.pieces
    }

    /// Pays for up to `wanted` pieces, of which a unit of `fuel` pays for `per_unit`. Returns the number paid for.
    pub(super) fn spend(&mut self, wanted: u64, per_unit: u64, fuel: &mut Fuel) -> u64 {
        let short = wanted.saturating_sub(self.pieces);
        let bought = fuel.burn_at_most(usize::try_from(short.div_ceil(per_unit)).unwrap_or(usize::MAX)) as u64;
        self.pieces = self.pieces.saturating_add(bought.saturating_mul(per_unit));
        let paid = wanted.min(self.pieces);
        self.pieces -= paid;
        paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_pays_for_several_pieces_and_what_is_left_of_it_is_kept() {
        let mut credit = Credit::default();
        let fuel = &mut Fuel::work(3);
        let mut spend = |wanted| (credit.spend(wanted, 4, fuel), fuel.left());
        assert_eq!(spend(1), (1, 2));
        assert_eq!(spend(3), (3, 2));
        assert_eq!(spend(5), (5, 0));
        assert_eq!((spend(2), spend(3)), ((2, 0), (1, 0)));
        let fuel = &mut Fuel::work(1);
        assert_eq!((credit.spend(9, 4, fuel), credit.spend(1, 4, fuel)), (4, 0));
        assert_eq!(credit.spend(u64::MAX, 4, &mut Fuel::unlimited()), u64::MAX);
    }
}
