//! A placement made by hand: small, with every kind of row that a page has to show.
#![allow(dead_code)]

use spindle_planning::{
    Alternative, Candidate, CandidateKind, Component, DbTime, FrontierPoint, Measured, NextCapacity, Plan,
    PlanVolume, Range, ResponsePart, Source, StatementGain, Tier, TierUse,
};

pub(crate) const GIB: f64 = 1_073_741_824.0;
/// What a page has to show and never to obey.
pub(crate) const HOSTILE: &str = "</td><script>alert('x')</script>\" onload=\"y &amp; `";

pub(crate) fn candidate(object: &str, size_gib: Option<f64>, saves: Option<(f64, f64, f64)>) -> Candidate {
    let saves_s = saves.map(|(low, mid, high)| Range { low, mid, high });
    Candidate {
        object: object.into(),
        kind: CandidateKind::Table,
        owner: Some("SHOP".into()),
        name: object.into(),
        partition: None,
        tablespace: Some("SHOP_DATA".into()),
        container: None,
        members: vec![],
        partitions: Vec::new(),
        size_bytes: size_gib.map(|g| g * GIB),
        size_from: size_gib.map(|_| "segments.txt, line 12".into()),
        read_blocks: Some(1e6),
        read_requests: Some(9e5),
        write_blocks: None,
        reread_times: None,
        io_share_pct: Some(12.34),
        waits_s: saves_s.unwrap_or(Range::ZERO).scaled(1.1),
        waits_by_component: vec![],
        saves_s,
        tier: None,
        moves_with: None,
        why: "would save less than what is chosen".into(),
        excluded_because: None,
        price_per_s: None,
        sources: vec![
            Source { source: "a/awr.txt".into(), section: "Segments by Physical Reads".into(), line: 321 },
            Source { source: "a/awr.txt".into(), section: "Tablespace IO Stats".into(), line: 123 },
        ],
    }
}

pub(crate) fn chosen(object: &str, size_gib: f64, saves: (f64, f64, f64)) -> Candidate {
    Candidate {
        tier: Some("flash".into()),
        moves_with: None,
        why: format!("{} s of DB time wait for it", saves.1),
        ..candidate(object, Some(size_gib), Some(saves))
    }
}

fn part(part: &str, component: Option<Component>, now_s: f64, then: (f64, f64, f64)) -> ResponsePart {
    let then_s = Range { low: then.0, mid: then.1, high: then.2 };
    ResponsePart { part: part.into(), component, now_s, then_s }
}

fn point(gib: f64, low: f64, mid: f64, high: f64, objects: usize) -> FrontierPoint {
    FrontierPoint { capacity_bytes: gib * GIB, saves_s: Range { low, mid, high }, objects }
}

/// Two objects move, one has no room, one no size.
pub(crate) fn plan() -> Plan {
    let candidates = vec![
        chosen("SHOP.ORDERS", 40.0, (900.0, 1200.0, 1500.0)),
        Candidate {
            kind: CandidateKind::Index,
            container: Some("PDB1".into()),
            members: vec!["SHOP.A".into(), "SHOP.B".into()],
            partitions: Vec::new(),
            ..chosen(HOSTILE, 2.0, (90.0, 100.0, 110.0))
        },
        candidate("SHOP.HISTORY", Some(80.0), Some((40.0, 50.0, 60.0))),
        Candidate {
            kind: CandidateKind::Tablespace,
            excluded_because: Some("its size is unknown".into()),
            ..candidate("tablespace OLD", None, Some((10.0, 20.0, 30.0)))
        },
    ];
    Plan {
        answer: "Moving 2 objects saves 990 s to 1,610 s of 3,600 s of DB time.".into(),
        measured: Measured {
            db_name: Some("SHOP".into()),
            version: Some("19.3.0.0.0".into()),
            instances: vec![1],
            intervals: 1,
            begin_time: Some("2024-01-31T10:00:00".into()),
            end_time: Some("2024-01-31T11:00:00".into()),
            elapsed_s: 3600.0,
            block_size_bytes: 8192.0,
            left_out: vec!["`b.txt` is of another week".into()],
            ..Measured::default()
        },
        tiers: vec![Tier {
            name: "flash".into(),
            capacity_bytes: 100.0 * GIB,
            read_latency_us: 200.0,
            write_latency_us: 50.0,
            mbps: Some(2000.0),
            iops_cap: None,
            price: Some(5000.0),
            endurance_bytes: None,
            profile: None,
        }],
        chosen: vec![HOSTILE.into(), "SHOP.ORDERS".into()],
        candidates,
        tier_use: vec![TierUse {
            name: "flash".into(),
            capacity_bytes: 100.0 * GIB,
            used_bytes: 42.0 * GIB,
            saves_s: Range { low: 990.0, mid: 1300.0, high: 1610.0 },
            read_mbps: 12.5,
            bandwidth_used_pct: Some(0.62),
            iops_used_pct: None,
            price: Some(5000.0),
            price_per_s: Some(5000.0 / 1300.0),
            written_bytes_per_day: None,
            years_of_life: None,
        }],
        frontier: vec![
            point(0.0, 0.0, 0.0, 0.0, 0),
            point(2.0, 90.0, 100.0, 110.0, 1),
            point(42.0, 990.0, 1300.0, 1610.0, 2),
            point(122.0, 1030.0, 1350.0, 1670.0, 3),
        ],
        knee: Some(point(42.0, 990.0, 1300.0, 1610.0, 2)),
        next_100_gb: Some(NextCapacity {
            bytes: 100.0 * GIB,
            saves_s: Range { low: 40.0, mid: 50.0, high: 60.0 },
            objects: vec!["SHOP.HISTORY".into()],
        }),
        db_time_s: DbTime {
            now: 3600.0,
            then_low: 1990.0,
            then: 2300.0,
            then_high: 2610.0,
            cpu: Some(900.0),
        },
        saves_s: Range { low: 990.0, mid: 1300.0, high: 1610.0 },
        response_time: vec![
            part("CPU", None, 900.0, (900.0, 900.0, 900.0)),
            part("single-block reads", Some(Component::SingleBlockRead), 1800.0, (190.0, 500.0, 810.0)),
            part("commits", Some(Component::Commit), 500.0, (500.0, 500.0, 500.0)),
            part("other waits", None, 300.0, (300.0, 300.0, 300.0)),
            part("not explained", None, 100.0, (100.0, 100.0, 100.0)),
        ],
        relief_s: Some(70.0),
        relief_range_s: Some(Range { low: 10.0, mid: 70.0, high: 90.0 }),
        relief_because: "as a queue at half the load".into(),
        statements: vec![
            StatementGain {
                sql_id: Some("abc123def456g".into()),
                old_hash: None,
                module: Some(HOSTILE.into()),
                text: Some(format!("select * from orders where note = '{HOSTILE}' and status in ('A', 'B')")),
                executions: Some(12.0),
                now_s: 800.0,
                io_wait_s: Some(600.0),
                then_s: Range { low: 200.0, mid: 400.0, high: 800.0 },
                gain: Range { low: 1.0, mid: 2.0, high: f64::INFINITY },
                from_temp_alone: true,
                because: "its plan reads SHOP.ORDERS".into(),
            },
            StatementGain {
                sql_id: None,
                old_hash: Some(4711),
                module: None,
                text: None,
                executions: None,
                now_s: 10.0,
                io_wait_s: None,
                then_s: Range::exact(10.0),
                gain: Range::exact(1.0),
                from_temp_alone: false,
                because: "nothing of it moves".into(),
            },
        ],
        alternatives: vec![
            Alternative {
                name: "this plan".into(),
                saves_s: Some(Range { low: 990.0, mid: 1300.0, high: 1610.0 }),
                cost: "42 GiB of the tiers".into(),
                because: "2 candidates move".into(),
            },
            Alternative {
                name: "flash cache".into(),
                saves_s: None,
                cost: "100 GiB of flash".into(),
                because: "how much is re-read cannot be told".into(),
            },
            Alternative {
                name: "nothing".into(),
                saves_s: Some(Range::ZERO),
                cost: "nothing".into(),
                because: "response time stays as it is".into(),
            },
        ],
        unseen_io_pct: Some(23.4),
        unseen: "23 % of the blocks read belong to none of the objects that the reports name.".into(),
        surer: None,
        loses_s: None,
        all_reads_s: 0.0,
        all_reads_uncapped_s: 0.0,
        plan_volumes: vec![
            PlanVolume {
                owner: Some("SHOP".into()),
                object: "ORDERS_PK".into(),
                operation: "INDEX".into(),
                options: Some("UNIQUE SCAN".into()),
                statements: 1,
                executions: 1000.0,
                volume_bytes: 900.0 * GIB,
                apportioned_reads: Some(1000.0),
                volume_means_io: false,
            },
            PlanVolume {
                owner: Some("SHOP".into()),
                object: "ORDERS".into(),
                operation: "TABLE ACCESS".into(),
                options: Some("FULL".into()),
                statements: 2,
                executions: 12.0,
                volume_bytes: 500.0 * GIB,
                apportioned_reads: None,
                volume_means_io: true,
            },
        ],
        warnings: vec![format!("`{HOSTILE}` does not say which database it is of.")],
        script: None,
    }
}

/// Nothing is known but that there is a tier.
pub(crate) fn empty() -> Plan {
    Plan {
        answer: "Nothing is worth moving.".into(),
        measured: Measured::default(),
        candidates: vec![],
        chosen: vec![],
        tier_use: vec![],
        frontier: vec![],
        knee: None,
        next_100_gb: None,
        db_time_s: DbTime::default(),
        saves_s: Range::ZERO,
        response_time: vec![],
        relief_s: None,
        relief_range_s: None,
        relief_because: String::new(),
        statements: vec![],
        alternatives: vec![],
        unseen_io_pct: None,
        unseen: String::new(),
        surer: None,
        loses_s: None,
        all_reads_s: 0.0,
        all_reads_uncapped_s: 0.0,
        plan_volumes: vec![],
        warnings: vec![],
        ..plan()
    }
}

/// Far more of everything than a page can show, every name and text as long and hostile as can be.
pub(crate) fn huge(candidates: usize) -> Plan {
    let mut plan = plan();
    let name = |n: usize| format!("OWNER{n}.{}", HOSTILE.repeat(8));
    plan.candidates = (0..candidates)
        .map(|n| {
            let saves = (n as f64, n as f64 + 1.0, n as f64 + 2.0);
            if n % 2 == 0 {
                chosen(&name(n), 0.5, saves)
            } else {
                Candidate {
                    excluded_because: Some(format!("{n} {}", HOSTILE.repeat(20))),
                    ..candidate(&name(n), None, Some(saves))
                }
            }
        })
        .collect();
    plan.chosen = (0..candidates).step_by(2).map(name).collect();
    let repeat = |n: usize, text: &str| vec![text.to_owned(); n];
    plan.warnings = repeat(candidates, &HOSTILE.repeat(30));
    plan.measured.left_out = repeat(candidates, &HOSTILE.repeat(30));
    let mut statement = plan.statements[0].clone();
    statement.text = Some(HOSTILE.repeat(400));
    plan.statements = vec![statement; candidates];
    plan.plan_volumes =
        vec![PlanVolume { object: HOSTILE.repeat(9), ..plan.plan_volumes[0].clone() }; candidates];
    plan.frontier =
        // The planner gives far fewer.
        (0..candidates.min(400)).map(|n| point(n as f64, n as f64, n as f64 * 1.1, n as f64 * 1.2, n)).collect();
    plan
}
