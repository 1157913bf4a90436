//! Rows kept as printed lose no cell.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

#[test]
fn cells_below_a_heading_that_hides_their_own_are_kept() {
    let page = "<html><head><title>AWR Report for DB: TILL</title></head><body>\n\
        <h1 class=\"awr\">WORKLOAD REPOSITORY report for</h1>\n\
        <h3 class=\"awr\">Exadata OS IO Statistics - Outlier Cells</h3>\n\
        <table border=\"0\">\n\
        <tr><td><td><th colspan=\"8\">IOPs</th><th rowspan=\"2\" colspan=\"4\">% Disk Utilization</th></tr>\n\
        <tr><td><td><th rowspan=\"2\">Total</th><th rowspan=\"2\">% Total</th><th colspan=\"2\">Per Cell</th>\n\
        <th colspan=\"4\">Per Disk</th></tr>\n\
        <tr><th>Disk Type</th><th>Cell Name</th><th colspan=\"2\">Average</th><th colspan=\"2\">Mean</th>\n\
        <th>Std Dev</th><th>Normal Range</th>\n\
        <th colspan=\"2\">Mean</th><th>Std Dev</th><th>Normal Range</th></tr>\n\
        <tr><td>F/2.9T</td><td>All</td><td>512.5</td><td><td colspan=\"2\">17.5</td><td colspan=\"2\">4.5</td>\n\
        <td>5.5</td><td>0.00 - 9.87</td>\n\
        <td colspan=\"2\">9.51</td><td>12.42</td><td>0.00 - 21.92</td></tr>\n\
        </table></body></html>";
    let reports = spindle_evidence::read("x", page.as_bytes()).reports;
    let [row] = reports[0].tables.exadata_cell.as_slice() else { panic!() };
    let numbers: Vec<f64> = row
        .cells
        .iter()
        .filter_map(|(_, value)| match value {
            spindle_facts::Value::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [512.5, 17.5, 4.5, 5.5, 9.51, 12.42], "{:?}", row.cells);
    assert!(format!("{:?}", row.cells).contains("0.00 - 21.92"));
}
