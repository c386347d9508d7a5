use super::{Report, Wanted, figure};

#[test]
fn figures_are_grouped_and_rounded() {
    assert_eq!(figure(1.234), "1.23");
    assert_eq!(figure(123.45), "123.5");
    assert_eq!(figure(1234.5), "1 234");
    assert_eq!(figure(1_234_567.0), "1 234 567");
}

#[test]
fn a_wish_is_compared_with_the_ratio() {
    let mut report = Report::default();
    report.section("title", "floor", "ours");
    report.ratio("slower", (10.0, 8.0), Wanted::AtLeast(0.85));
    report.ratio("faster", (10.0, 12.0), Wanted::AtLeast(0.85));
    report.value("alone", 5.0, Wanted::AtMost(6.0));
    let mut text = String::new();
    for section in &report.sections {
        section.write(&mut text);
    }
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[2].ends_with("NOT MET") && lines[2].contains("0.80"));
    assert!(lines[3].ends_with(" met") && lines[3].contains("1.20"));
    assert!(lines[4].ends_with(" met") && lines[4].contains(" - "));
}

#[test]
fn a_part_that_fails_makes_the_report_fail() {
    let mut report = Report::default();
    report.attempt("part", |_| Err("why".to_owned()));
    assert!(report.failures.iter().any(|failure| failure == "part: why"));
    assert!(report.print().is_err());
}
