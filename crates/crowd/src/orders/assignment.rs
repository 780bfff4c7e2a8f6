//! Assignments: which unit of a group takes which place.

/// For each row a column of its own, so that the sum of costs is least. There are at least as many columns as rows.
/// Takes time in proportion to the rows squared, times the columns. The Hungarian method by shortest augmenting paths
/// [Kuhn 1955; Munkres 1957; Jonker and Volgenant 1987].
pub(super) fn least_sum(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<usize> {
    // Rows and columns count from 1; 0 stands for none. `of` is the row that has each column.
    let (mut by_row, mut by_column) = (vec![0_i64; rows + 1], vec![0_i64; columns + 1]);
    let mut of = vec![0; columns + 1];
    for row in 1..=rows {
        of[0] = row;
        let (mut least, mut before) = (vec![i64::MAX; columns + 1], vec![0; columns + 1]);
        let mut is_done = vec![false; columns + 1];
        let mut column = 0;
        // To the nearest column that nobody has.
        while of[column] != 0 {
            is_done[column] = true;
            let from = of[column];
            let (mut step, mut next) = (i64::MAX, 0);
            for other in (1..=columns).filter(|other| !is_done[*other]) {
                let reduced = cost(from - 1, other - 1) - by_row[from] - by_column[other];
                if reduced < least[other] {
                    (least[other], before[other]) = (reduced, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=columns {
                if is_done[other] {
                    by_row[of[other]] += step;
                    by_column[other] -= step;
                } else if least[other] < i64::MAX {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            of[column] = of[before[column]];
            column = before[column];
        }
    }
    let mut columns_of = vec![0; rows];
    (1..=columns).filter(|column| of[*column] != 0).for_each(|column| columns_of[of[column] - 1] = column - 1);
    columns_of
}

#[cfg(test)]
mod tests {
    use pathfinding::kuhn_munkres::kuhn_munkres_min;
    use pathfinding::matrix::Matrix;
    use rand::Rng as _;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn sums_are_as_small_as_those_of_another_program() {
        let mut random = Pcg64Mcg::new(0xA551);
        for _ in 0..400 {
            let rows = random.random_range(1..12);
            let columns = rows + random.random_range(0..5);
            let most = [2, 10, 1_000_000_000_000][random.random_range(0..3)];
            let costs = Matrix::from_fn(rows, columns, |_| random.random_range(0..most));
            let columns_of = least_sum(rows, columns, |row, column| costs[(row, column)]);
            let sum: i64 = columns_of.iter().enumerate().map(|(row, column)| costs[(row, *column)]).sum();
            assert_eq!(sum, kuhn_munkres_min(&costs).0, "{costs:?}");
            let mut taken = columns_of;
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), rows, "no column twice");
        }
    }
}
