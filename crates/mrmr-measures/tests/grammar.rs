//! The text form of measures: what is read, what is printed, what is refused.

#![allow(clippy::unwrap_used)]

use mrmr_measures::{MeasureSpec, definitions};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    text.parse::<MeasureSpec>().unwrap().to_string()
}

#[test]
fn names_of_other_tools_are_read_and_never_printed() {
    for (text, expected) in [
        ("nDCG@10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_at_10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exp2)@10"),
        ("recip_rank", "RR"),
        ("recip_rank_10", "RR@10"),
        ("MRR@10", "RR@10"),
        ("mrr_at_10", "RR@10"),
        ("Hit@1", "Success@1"),
        ("hit_rate@1", "Success@1"),
        ("success.5", "Success@5"),
        ("map", "AP"),
        ("MAP@100", "AP@100"),
        ("map_cut.3", "AP@3"),
        ("map_at_10", "AP@10"),
        ("recall.100", "R@100"),
        ("recall_at_5", "R@5"),
        ("precision_at_5", "P@5"),
        ("P_5", "P@5"),
        ("f1@5", "F@5"),
        ("num_rel_ret", "NumRelRet"),
        ("Rprec", "Rprec"),
        ("r_precision", "Rprec"),
        ("P(rel=1)@5", "P@5"),
        (" P( rel = 2 )@5 ", "P(rel=2)@5"),
        ("P(rel=0.5)@5", "P(rel=0.5)@5"),
        ("AP(norm=min,rel=2)@3", "AP(rel=2,norm=min)@3"),
        ("RR()", "RR"),
        ("dcg_burges@5", "DCG(gain=exp2)@5"),
        ("bpref", "bpref"),
        ("BPref", "bpref"),
        ("infap", "infAP"),
        ("gm_map", "GMAP"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("set_map", "SetAP"),
        ("set_F", "SetF"),
        ("set_F.0.5", "SetF(beta=0.5)"),
        ("set_F_2.0", "SetF(beta=2)"),
        ("iprec_at_recall.0.10", "IPrec@0.1"),
        ("iprec_at_recall_0.00", "IPrec@0"),
        ("iprec_at_recall_1.00", "IPrec@1"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("IPrec(rel=2)@.5", "IPrec(rel=2)@0.5"),
        ("Rprec_mult.1.20", "Rprec(multiple=1.2)"),
        ("Rprec_mult_0.20", "Rprec(multiple=0.2)"),
        ("Rprec_mult.1", "Rprec"),
        ("rbp", "RBP"),
        ("rbp.80", "RBP"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.5(rel=1)", "RBP(p=0.5,rel=1)"),
        ("rbp_at_10", "RBP@10"),
        ("RBP(p=0.9)@20", "RBP(p=0.9)@20"),
        ("ERR(max_rel=4)@20", "ERR(max_rel=4)@20"),
        ("err@20", "ERR@20"),
        ("nERR", "nERR"),
        ("Compat(p=0.8)", "Compat(p=0.8)"),
        ("Compat(p=0.95)", "Compat"),
        ("alpha_nDCG@10", "alpha_nDCG@10"),
        ("alpha-nDCG@10", "alpha_nDCG@10"),
        ("α_nDCG(alpha=0.9)@10", "alpha_nDCG(alpha=0.9)@10"),
        ("ERR-IA@10", "ERR_IA@10"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn errors_say_what_was_expected() {
    for (text, message) in [
        (
            "P(rell=2)@5",
            "P takes no parameter 'rell'; it takes cutoff (set by @), rel (default 1)",
        ),
        (
            "NumRet(rel=2)",
            "NumRet takes no parameter 'rel'; it takes no parameters",
        ),
        (
            "nDCG(rel=2)@5",
            "nDCG takes no parameter 'rel'; it takes cutoff (set by @), gain (linear or exp2; default linear), min_rel (default 0)",
        ),
        ("P", "P needs a cutoff, as in P@10"),
        ("Rprec@5", "Rprec takes no cutoff, found @5"),
        (
            "P@0",
            "'P@0': expected a whole number from 1 up as cutoff, found '0'",
        ),
        (
            "P@-1",
            "'P@-1': expected a whole number from 1 up as cutoff, found '-1'",
        ),
        (
            "P@+5",
            "'P@+5': expected a whole number from 1 up as cutoff, found '+5'",
        ),
        (
            "P@ten",
            "'P@ten': expected a whole number from 1 up as cutoff, found 'ten'",
        ),
        (
            "P@",
            "'P@': expected a whole number from 1 up as cutoff, found ''",
        ),
        ("P(rel=x)@5", "P: expected a number as rel, found 'x'"),
        ("P(rel=nan)@5", "P: expected a number as rel, found 'nan'"),
        (
            "F(beta=0)@5",
            "F: expected a number above 0 as beta, found '0'",
        ),
        (
            "nDCG(gain=exp)@5",
            "nDCG: expected linear or exp2 as gain, found 'exp'",
        ),
        ("P(rel=1,rel=2)@5", "'P(rel=1,rel=2)@5' sets rel twice"),
        ("IPrec", "IPrec needs a recall level, as in IPrec@0.1"),
        (
            "IPrec@1.5",
            "'IPrec@1.5': expected a number from 0 to 1 as recall level, found '1.5'",
        ),
        (
            "IPrec@-0",
            "'IPrec@-0': expected a number from 0 to 1 as recall level, found '-0'",
        ),
        (
            "IPrec@1e-1",
            "'IPrec@1e-1': expected a number from 0 to 1 as recall level, found '1e-1'",
        ),
        (
            "P@0.5",
            "'P@0.5': expected a whole number from 1 up as cutoff, found '0.5'",
        ),
        ("P.0.5", "unknown measure 'P.0.5'"),
        ("rbp.0.8", "unknown measure 'rbp.0.8'"),
        (
            "RBP(p=1)",
            "RBP: expected a number between 0 and 1 as p, found '1'",
        ),
        (
            "alpha_nDCG(alpha=2)",
            "alpha_nDCG: expected a number from 0 to 1 as alpha, found '2'",
        ),
        ("rbp.80(p=0.5)", "'rbp.80(p=0.5)' sets p twice"),
        (
            "RBP(q=1)",
            "RBP takes no parameter 'q'; it takes cutoff (set by @), p (default 0.8), rel (optional), \
             max_rel (default the highest grade of the qrels)",
        ),
        (
            "Rprec_mult",
            "'Rprec_mult' needs its multiple, as in Rprec_mult.1.2 or Rprec(multiple=1.2)",
        ),
        ("P(2)@5", "'P(2)@5' is not a measure"),
        ("P(rel=2@5", "'P(rel=2@5' is not a measure"),
        ("P(rel=2)5", "'P(rel=2)5' is not a measure"),
        ("nDGC@10", "unknown measure 'nDGC@10'"),
        ("", "unknown measure ''"),
    ] {
        let error = text.parse::<MeasureSpec>().unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
    let near = "nDGC@10".parse::<MeasureSpec>().unwrap_err();
    assert_eq!(near.hints()[0], "did you mean nDCG?");
}

#[test]
fn no_name_or_alias_means_two_measures() {
    let mut names: Vec<String> = Vec::new();
    for definition in definitions() {
        names.push(definition.name.to_lowercase());
        names.extend(definition.aliases.iter().map(|alias| alias.name.to_owned()));
    }
    names.sort();
    let all = names.len();
    names.dedup();
    // An alias may be its measure's own name in lower case.
    let own = definitions()
        .iter()
        .filter(|d| d.aliases.iter().any(|a| a.name == d.name.to_lowercase()))
        .count();
    assert_eq!(names.len() + own, all);
}

proptest! {
    #[test]
    fn the_text_form_round_trips(
        which in 0usize..definitions().len(),
        cutoff in proptest::option::of(1usize..2000),
        number in 0.25f64..1000.0,
        second in any::<bool>(),
    ) {
        use mrmr_measures::{Cutoff, ParameterKind};
        let definition = definitions()[which];
        let mut text = definition.name.to_owned();
        if !definition.parameters.is_empty() {
            let given: Vec<String> = definition.parameters.iter().map(|p| match p.kind {
                ParameterKind::Number { .. } | ParameterKind::Optional { .. } => format!("{}={number}", p.name),
                ParameterKind::Share { .. } => format!("{}={}", p.name, number / 1001.0),
                ParameterKind::Choice { names } => format!("{}={}", p.name, names[usize::from(second) % names.len()]),
            }).collect();
            text += &format!("({})", given.join(","));
        }
        match (definition.cutoff, cutoff) {
            (Cutoff::Required, None) => text += "@7",
            (Cutoff::Recall, _) => text += &format!("@{}", number / 1001.0),
            (Cutoff::Required | Cutoff::Optional, Some(k)) => text += &format!("@{k}"),
            _ => {}
        }
        let spec: MeasureSpec = text.parse().unwrap();
        prop_assert_eq!(spec.to_string().parse::<MeasureSpec>().unwrap(), spec);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,20}") {
        let _ = text.parse::<MeasureSpec>();
    }
}
