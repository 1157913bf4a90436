//! One job on several hosts at one instant: what adds up, who is slow, who is missing, and that nothing runs on.
//!
//! A script stands for ssh and runs the command in a folder for each host; where there is an ssh server, one on
//! the loopback does, too.
#![cfg(target_os = "linux")]

use crate::emulate::{Serving, comes_true, kill};
use crate::world::{Ran, World};
use serde_json::Value;
use spindle_test_support::skipped;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const SSH: &str = r#"#!/bin/sh
while :; do case "$1" in -o) shift 2;; -T) shift;; *) break;; esac; done
host=$1; shift
case $host in
unreachable) echo "ssh: connect to host unreachable port 22: No route to host" >&2; exit 255;;
silent) exec sleep 600;;
old) echo '{"hello":{"version":"0.0.1"}}'; exec sleep 600;;
older) exec true;;
lacks) exec sh -c '/none/of/these';;
b) echo 'Welcome to b!'; sleep 1;;
esac
cd "$(dirname "$0")/$host" || exit 255
echo $$ >pid
exec sh -c "exec $*"
"#;

/// A world whose hosts are folders of it.
fn hosts(name: &str, hosts: &[&str]) -> World {
    let world = World::plain(name);
    world.put("ssh", SSH);
    fs::set_permissions(world.path("ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    for host in hosts {
        fs::create_dir(world.path(host)).unwrap();
    }
    world
}

fn disk(world: &World, host: &str, latency: &str, cap: &str) -> Option<Serving> {
    let at = format!("{host}/disk");
    let arguments = ["emulate", "--latency", latency, "--cap", cap, "--size", "64M", "--at", &at, "--json"];
    Serving::of(&mut world.command(&arguments))
}

fn end(disk: Serving) {
    kill("-TERM", &disk.process());
    disk.end();
}

/// The command on these hosts.
fn on<'a>(arguments: &[&'a str], hosts: &'a str) -> Vec<&'a str> {
    let spindle = env!("CARGO_BIN_EXE_spindle");
    [&["measure"], arguments, &["--hosts", hosts, "--ssh", "./ssh", "--remote-spindle", spindle]].concat()
}

const JOB: &str = "seed = 7\n[end]\ntime = \"2 s\"\n[[stream]]\nname = \"reads\"\nreads = \"100 %\"\n\
                   pattern = \"random\"\nblock = \"8 KiB\"\ndepth = 4\n";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn each(document: &Value) -> &[Value] {
    document["hosts"]["each"].as_array().map_or(&[], Vec::as_slice)
}

/// The process that measures on a host, which has written its number.
fn worker(world: &World, host: &str) -> String {
    let file = world.path(host).join("pid");
    comes_true(|| fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n')));
    fs::read_to_string(&file).unwrap().trim().to_owned()
}

fn runs(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

#[test]
fn a_job_on_two_hosts_adds_up_and_the_slow_one_is_named() {
    let world = hosts("hosts-run", &["a", "b"]);
    let Some(fast) = disk(&world, "a", "8ms", "150") else { return };
    let Some(slow) = disk(&world, "b", "20ms", "50") else { return end(fast) };
    world.put("job.toml", JOB);
    let run = on(&["run", "job.toml", "--on", "disk"], "a,b");
    let ran = world.run(&[&run[..], &["--html", "page.html", "--json"]].concat());
    let found = ran.exits(0).json();
    let all = &found["streams"][0];
    let of = |n: usize, what: &str| each(&found)[n]["result"]["streams"][0][what].clone();
    assert_eq!(number(&all["ios"]), number(&of(0, "ios")) + number(&of(1, "ios")));
    assert!((number(&all["iops"]) - number(&of(0, "iops")) - number(&of(1, "iops"))).abs() < 1e-6, "{all}");
    assert!(number(&of(0, "iops")) <= 153.0 && number(&of(1, "iops")) <= 52.0, "{found}");
    assert!(of(0, "histogram").is_string() && all["histogram"].is_string());
    assert_eq!(
        (&found["hosts"]["slow"][0]["host"], &found["hosts"]["judged_by"]),
        (&"b".into(), &"iops".into())
    );
    assert_eq!(found["environment"]["devices"][1]["path"], "b:disk");
    // The instant holds within what is said, which two clocks of one machine allow to be little.
    let hosts = &found["hosts"];
    for host in each(&found) {
        let late = number(&host["late_us"]);
        let (low, high) = (number(&host["began_us"][0]), number(&host["began_us"][1]));
        assert!(low <= late && late <= high && number(&host["round_trip_us"]) > 0.0, "{host}");
    }
    let apart = number(&hosts["began_within_us"]);
    let common = number(&hosts["common_s"]);
    assert!(apart > 0.0 && (common - (2.0 - apart / 1e6)).abs() < 0.02, "{hosts}");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    for part in ["What each host did", "<title>measure run: a:disk and 1 more - Spindle</title>", "is slow"] {
        assert!(page.contains(part), "{part}");
    }
    let screen = world.run(&[&run[..], &["--width", "80"]].concat());
    assert!(screen.exits(0).out.lines().all(|l| l.chars().count() <= 80), "{screen:?}");
    assert!(screen.out.contains("Each host") && screen.out.contains("`b` is slow"), "{screen:?}");
    end(fast);
    end(slow);
}

#[test]
fn readers_on_hosts_are_timed_by_reader() {
    let world = hosts("hosts-read", &["a", "b"]);
    let Some(one) = disk(&world, "a", "8ms", "1000") else { return };
    let Some(two) = disk(&world, "b", "24ms", "1000") else { return end(one) };
    let run = on(&["read", "disk", "--random", "--count", "60"], "a,b");
    let ran = world.run(&[&run[..], &["--json"]].concat());
    let found = ran.exits(0).json();
    // 8 and 24 ms: 16 on average over all, and not half of the longer.
    let verdict = found["verdict"].as_str().unwrap_or_default().to_owned();
    assert!(verdict.starts_with("120 random reads of 8,192 bytes by 2 readers at once: "), "{verdict}");
    let us = each(&found).iter().map(|h| number(&h["mean_us"])).sum::<f64>() / 2.0;
    assert!(us >= 16_000.0, "{found}");
    // They end at different times: the rate of all is that of the time in which both read.
    let iops = number(&found["streams"][0]["iops"]);
    assert!(
        iops <= 125.0 + 41.7 + 8.0 && iops > 120.0 / number(&found["streams"][0]["elapsed_s"]),
        "{found}"
    );
    ran.says("in which all ran");
    end(one);
    end(two);
}

#[test]
fn who_refuses_fails_or_hangs_is_missing_and_the_others_count() {
    let world = hosts("hosts-missing", &["a", "full", "lacks-disk"]);
    world.put("a/own", vec![0; 4 << 20]);
    world.put("full/own", "precious".repeat(1 << 19));
    world.put("job.toml", JOB.replace("100 %", "50 %").replace("2 s", "1 s"));
    let run = ["run", "job.toml", "--on", "own", "--buffered", "--give-up", "6s"];
    let run = on(&run, "a,full,lacks-disk,unreachable,silent,old,older,lacks");
    let ran = world.run(&[&run[..], &["--json"]].concat());
    let found = ran.exits(1).json();
    let whys: Vec<&str> = each(&found).iter().map(|h| h["missing"].as_str().unwrap_or("")).collect();
    let says = [
        "", // measured
        "--overwrite own",
        "`own` is not",
        "No route to host",
        "nothing was heard of it for",
        "spindle there is 0.0.1",
        "before it said its release",
        "--remote-spindle",
    ];
    for (why, says) in whys.iter().zip(says) {
        assert!(why.contains(says), "{why:?} for {says:?}");
    }
    assert!(whys[0].is_empty() && number(&found["streams"][0]["ios"]) > 0.0, "{found}");
    ran.says("host `full` is missing");
    ran.says("The figures of all are those of 1 of 8 hosts");
    assert_eq!(fs::read(world.path("full/own")).unwrap(), "precious".repeat(1 << 19).as_bytes());
    // The command line names the path, for each host; the job cannot.
    let named = on(&["run", "job.toml", "--on", "own", "--buffered", "--overwrite", "own"], "a,full");
    world.run(&named).exits(0);
    assert_ne!(fs::read(world.path("full/own")).unwrap(), "precious".repeat(1 << 19).as_bytes());
    // None is left.
    let none = world.run(&on(&["run", "job.toml", "--on", "own"], "unreachable,old"));
    none.exits(2).says("`unreachable`: it ended: ssh: connect to host unreachable");
}

#[test]
fn a_host_that_dies_leaves_what_the_others_measure() {
    let world = hosts("hosts-dies", &["a", "c"]);
    let Some(one) = disk(&world, "a", "8ms", "150") else { return };
    let Some(two) = disk(&world, "c", "8ms", "150") else { return end(one) };
    world.put("job.toml", JOB.replace("2 s", "6 s"));
    let run = on(&["run", "job.toml", "--on", "disk", "--json"], "a,c");
    let child = started(&world, &run);
    let dies = worker(&world, "c");
    sleep(Duration::from_secs(4));
    kill("-KILL", &dies);
    let ran = Ran::from(child.wait_with_output().unwrap());
    let found = ran.exits(1).json();
    let (stays, gone) = (&each(&found)[0], &each(&found)[1]);
    assert_eq!(found["streams"][0]["ios"], stays["result"]["streams"][0]["ios"]);
    assert!((number(&stays["result"]["streams"][0]["elapsed_s"]) - 6.0).abs() < 0.1, "{stays}");
    assert!(gone["missing"].is_string(), "{gone}");
    assert_eq!(found["hosts"]["began_within_us"], Value::Null);
    end(one);
    end(two);
}

#[test]
fn ctrl_c_ends_all_hosts_with_what_was_measured() {
    let world = hosts("hosts-ctrl-c", &["a", "c"]);
    let Some(one) = disk(&world, "a", "8ms", "150") else { return };
    let Some(two) = disk(&world, "c", "8ms", "150") else { return end(one) };
    let run = on(&["read", "disk", "--random", "--count", "1000000", "--json"], "a,c");
    let child = started(&world, &run);
    let workers = ["a", "c"].map(|host| worker(&world, host));
    sleep(Duration::from_secs(4));
    kill("-INT", &child.id().to_string());
    let ran = Ran::from(child.wait_with_output().unwrap());
    let found = ran.exits(1).json();
    assert_eq!(found["incomplete"], "it was stopped");
    let ios: Vec<f64> = each(&found).iter().map(|h| number(&h["result"]["streams"][0]["ios"])).collect();
    assert!(ios.len() == 2 && ios.iter().all(|n| *n > 0.0), "{found}");
    assert_eq!(number(&found["streams"][0]["ios"]), ios.iter().sum::<f64>());
    comes_true(|| workers.iter().all(|w| !runs(w)));
    // Nor does anything run on where who asked is killed.
    for host in ["a", "c"] {
        fs::remove_file(world.path(host).join("pid")).unwrap();
    }
    let mut child = started(&world, &run);
    let workers = ["a", "c"].map(|host| worker(&world, host));
    sleep(Duration::from_secs(2));
    child.kill().unwrap();
    child.wait().unwrap();
    comes_true(|| workers.iter().all(|w| !runs(w)));
    end(one);
    end(two);
}

#[test]
fn names_that_a_shell_or_ssh_would_take_for_more_are_refused() {
    let world = hosts("hosts-names", &[]);
    world.put("job.toml", JOB);
    for bad in ["-oProxyCommand=touch x", "a;touch x", "$(touch x)", "a b", "@a", "a@-l", "a,,c"] {
        let name = format!("--hosts={bad}");
        let run = ["measure", "run", "job.toml", "--on", "disk", &name, "--ssh", "./ssh"];
        world.run(&run).exits(2).says("a host is a name or an address");
    }
    let run = ["measure", "run", "job.toml", "--on", "disk", "--hosts", "a,c,a", "--ssh", "./ssh"];
    world.run(&run).exits(2).says("names `a` twice");
    let run = ["measure", "run", "job.toml", "--on", "disk", "--ssh", "./ssh"];
    world.run(&run).exits(2).says("--hosts");
    let run = ["measure", "run", "job.toml", "--on", "disk", "--hosts", "a", "--ssh", "./none"];
    world.run(&run).exits(2).says("`./none` does not start");
    assert!(!world.path("x").exists());
}

fn started(world: &World, arguments: &[&str]) -> Child {
    let mut command = world.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// An ssh server on the loopback, which goes with the test.
struct Server {
    child: Child,
    port: u16,
    /// A folder that was made for it.
    made: bool,
}

impl Server {
    fn start(world: &World) -> Option<Self> {
        let program =
            ["/usr/sbin/sshd", "/usr/bin/sshd", "/sbin/sshd"].into_iter().find(|p| Path::new(p).exists());
        let keys = |name: &str| {
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-f", name]).current_dir(world.path("."));
            command.stdin(Stdio::null()).status().is_ok_and(|s| s.success())
        };
        let Some(program) = program.filter(|_| keys("host") && keys("own")) else {
            skipped("there is no ssh server");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).unwrap().port();
        let path = |name: &str| world.path(name).display().to_string();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nPidFile none\n\
             UsePAM no\nPasswordAuthentication no\n",
            path("host"),
            path("own.pub")
        );
        world.put("config", config);
        // Where privileges are given up, which a start by the system would have made.
        let made = fs::create_dir("/run/sshd").is_ok();
        let log = fs::File::create(world.path("log")).unwrap();
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f", &path("config")]).stdin(Stdio::null()).stderr(log);
        let server = Self { child: command.spawn().unwrap(), port, made };
        let said = || fs::read_to_string(world.path("log")).unwrap_or_default();
        comes_true(|| said().contains("listening") || !runs(&server.child.id().to_string()));
        if !said().contains("listening") {
            skipped(&format!("the ssh server does not start: {}", said()));
            return None;
        }
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if self.made {
            let _ = fs::remove_dir("/run/sshd");
        }
    }
}

#[test]
fn a_real_ssh_server_measures_as_a_host() {
    let world = World::new("hosts-ssh");
    let Some(server) = Server::start(&world) else { return };
    world.put("data", vec![7; 4 << 20]);
    let path = |name: &str| world.path(name).display().to_string();
    let ssh = format!(
        "ssh -F none -p {} -i {} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile={}",
        server.port,
        path("own"),
        path("known")
    );
    let (data, spindle) = (path("data"), env!("CARGO_BIN_EXE_spindle"));
    let run =
        ["measure", "read", &data, "--random", "--count", "2000", "--buffered", "--json", "--ssh", &ssh];
    let run = [&run[..], &["--hosts", "127.0.0.1,localhost", "--remote-spindle", spindle]].concat();
    let ran = world.run(&run);
    let log = fs::read_to_string(world.path("log")).unwrap_or_default();
    if log.contains("account is locked") {
        return skipped("the account that runs the tests may not log in");
    }
    let found = ran.exits(0).json();
    assert_eq!(found["streams"][0]["ios"], 4_000, "{found}");
    let hosts: Vec<&str> = each(&found).iter().filter_map(|h| h["host"].as_str()).collect();
    assert_eq!(hosts, ["127.0.0.1", "localhost"]);
    assert!(number(&found["hosts"]["began_within_us"]) > 0.0);
    // Killed, it leaves nothing running behind the server.
    let long = run.iter().map(|word| if *word == "2000" { "1000000000" } else { word }).collect::<Vec<_>>();
    let mut child = started(&world, &long);
    let own = || {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        all.filter(|p| {
            fs::read_dir(p.path().join("fd"))
                .into_iter()
                .flatten()
                .flatten()
                .any(|fd| fs::read_link(fd.path()).is_ok_and(|to| to == world.path("data")))
        })
        .count()
    };
    comes_true(|| own() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    comes_true(|| own() == 0);
    drop(server);
}
