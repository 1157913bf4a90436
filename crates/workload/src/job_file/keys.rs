//! The keys of a job file.

use crate::form::{Table, key};

/// The file itself.
pub(super) const JOB: Table = Table::new(
    "a job",
    &[
        key("name", "what the job is called, such as name = \"oltp\""),
        key("seed", "a whole number that repeats all that is random, such as seed = 13"),
        key("warm_up", "time before anything counts, up to 31 days, such as warm_up = \"5 s\""),
        key("end", "when the job ends: a table [end] with time, count or interval"),
        key("stream", "what is asked: one table [[stream]] for each stream of requests"),
    ],
);

/// When it ends.
pub const END: Table = Table::new(
    "[end]",
    &[
        key("time", "length of the run, 1 ms to 31 days, such as time = \"60 s\""),
        key("count", "requests of each stream, 1 or more, such as count = 1000"),
        key(
            "interval",
            "width of the 95 % interval of each rate, 0.01 % to 100 % of it, such as interval = \"2 %\"",
        ),
        key(
            "unserved",
            "requests of a stream that have arrived and are not answered, 1 or more, such as unserved = 1000",
        ),
    ],
);

/// One stream.
pub const STREAM: Table = Table::new(
    "a stream",
    &[
        key("name", "what the stream is called, such as name = \"reads\""),
        key("reads", "share of reads, 0 % to 100 %; the rest are writes, such as reads = \"70 %\""),
        key(
            "pattern",
            "order of addresses: \"random\", \"sequential\", \"strided\", \"hotspot\" or \"zipf\"",
        ),
        key("stride", "blocks from one to the next where strided, 1 or more, such as stride = 16"),
        key("theta", "exponent where zipf, 0 to 10, such as theta = 1.1"),
        key("hot", "shares where hotspot, such as hot = { accesses = \"80 %\", blocks = \"20 %\" }"),
        key(
            "block",
            "bytes of a request, 512 bytes to 64 MiB, such as block = \"8 KiB\", or a mix of them: \
             block = [{ size = \"8 KiB\", weight = 9 }, { size = \"1 MiB\", weight = 1 }]",
        ),
        key("region", "part of the device, such as region = { from = \"0 %\", length = \"25 %\" }"),
        key("depth", "requests under way, 1 to 65536, such as depth = 16"),
        key(
            "committers",
            "those who wait for one log writer, 1 to 65536, such as committers = 16; block is then the redo of a commit",
        ),
        key("think", "mean pause before the next request, up to 1 h, such as think = \"5 ms\""),
        key("rate", "requests a second whatever the device does, such as rate = \"150 IOPS\""),
        key(
            "flush",
            "when a write is done: \"none\" (as the device says), \"dsync\" (O_DSYNC) or \"fdatasync\"",
        ),
        key("arrivals", "how a rate comes: \"poisson\" (at random, the default) or \"fixed\""),
        key(
            "trace",
            "a recorded trace whose requests are made, such as trace = \"monday.spc\"; it says what is asked for, where and when",
        ),
        key("sha256", "what the trace must hold: the SHA-256 of its file, 64 hexadecimal digits"),
        key("speed", "how many times as fast a trace is replayed, 0.000001 to 1000000, such as speed = 2"),
        key(
            "source",
            "which files or disks of a trace go where: \"each\" to the target of its number, \"joined\" one behind the other, or the name of one",
        ),
        key(
            "beyond",
            "what is done about addresses beyond the end: \"refuse\", \"wrap\" (begin again) or \"scale\" (all closer together)",
        ),
        key("writes", "what is done about the writes of a trace: \"replay\" or \"skip\""),
        key("lba", "bytes of a logical block of an SPC trace, such as lba = \"512 bytes\""),
    ],
);

/// Part of a device.
pub const REGION: Table = Table::new(
    "a region",
    &[
        key("from", "where it begins, bytes or percent of the device, such as from = \"10 GiB\""),
        key("length", "how long it is, bytes or percent of the device, such as length = \"25 %\""),
    ],
);

/// A hot spot.
pub const HOT: Table = Table::new(
    "a hot spot",
    &[
        key("accesses", "share of the accesses, 0.01 % to 99.99 %, such as accesses = \"80 %\""),
        key("blocks", "share of the blocks, 0.01 % to 99.99 %, such as blocks = \"20 %\""),
    ],
);

/// One size of a mix.
pub const BLOCK: Table = Table::new(
    "a part of a mix",
    &[
        key("size", "bytes of a request, 512 bytes to 64 MiB, such as size = \"8 KiB\""),
        key("weight", "how often against the others, above 0, such as weight = 9"),
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_the_one_that_was_meant() {
        for (written, meant) in [("blok", "block"), ("bs", "block"), ("Depht", "depth"), ("iops", "rate")] {
            assert_eq!(STREAM.near(written).map(|k| k.name), Some(meant));
        }
        assert_eq!(JOB.near("streams").map(|k| k.name), Some("stream"));
    }
}
