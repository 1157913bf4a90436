//! Rows found by name: events are looked for among histograms, and histograms among events, all with all.

/// Rows in the order of their names; those of one name in the order given.
#[derive(Debug)]
pub(crate) struct ByName<'r, T> {
    rows: Vec<(&'r str, &'r T)>,
}

impl<'r, T> ByName<'r, T> {
    pub(crate) fn new(rows: &'r [T], name: impl Fn(&'r T) -> &'r str) -> Self {
        let mut rows: Vec<(&str, &T)> = rows.iter().map(|row| (name(row), row)).collect();
        rows.sort_by_key(|(name, _)| *name);
        Self { rows }
    }

    /// The rows of a name.
    pub(crate) fn of(&self, name: &str) -> impl Iterator<Item = &'r T> + Clone {
        let from = self.rows.partition_point(|(other, _)| *other < name);
        let rest = self.rows.get(from..).unwrap_or_default();
        let length = rest.iter().take_while(|(other, _)| *other == name).count();
        rest[..length].iter().map(|(_, row)| *row)
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn rows_of_a_name_come_in_the_order_given() {
        let rows = [("b", 1), ("a", 2), ("b", 3), ("", 4), ("ab", 5)];
        let by_name = ByName::new(&rows, |row| row.0);
        let of = |name: &str| by_name.of(name).map(|row| row.1).collect::<Vec<i32>>();
        assert_eq!((of("b"), of("a"), of(""), of("c")), (vec![1, 3], vec![2], vec![4], vec![]));
    }
}
