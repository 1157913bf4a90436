//! The keys of a scenario, as data: what is read, what each means, and what may stand there.

use spindle_workload::STREAM;
use spindle_workload::form::{Key, Table, key};

/// The file itself.
pub(super) const SCENARIO: Table = Table::new(
    "a scenario",
    &[
        key("name", "what the scenario is called, such as name = \"writes by redundancy\""),
        key("about", "what it shows, in a sentence or two"),
        key("experiment", "what it repeats, such as experiment = \"SLOB under three redundancies, 2012\""),
        key("source", "where that was published"),
        key(
            "notes",
            "what has to be known beside the figures, what is not reproduced among it: texts in a list",
        ),
        key("main", "the figure that is drawn first, such as main = \"IOPS\"; by default the first"),
        key("seed", "a whole number that repeats all that is random, such as seed = 13"),
        key("warm_up", "time before anything counts, up to 744 h (31 days), such as warm_up = \"5 s\""),
        key("end", "when a run ends: a table [end] with time, or count (requests of each load)"),
        key(
            "parameter",
            "values with names, a table [parameter]; \"$disks\" anywhere stands for its `disks`",
        ),
        key("device", "devices: one table [device.NAME] for each kind of them"),
        key("array", "arrays of devices: one table [array.NAME] each"),
        key("cache", "caches before storage: one table [cache.NAME] each"),
        key("link", "buses and networks before storage: one table [link.NAME] each"),
        key(
            "volume",
            "what a host makes of storage: one table [volume.NAME] each, with scheduler and file cache",
        ),
        key("host", "the host: a table [host] with processors"),
        key("load", "what is asked: one table [load.NAME] each"),
        key("figure", "what is looked for: one table [[figure]] each"),
        key("published", "what was published: one table [[published]] for each number"),
        key(
            "sweep",
            "what is varied: a table [sweep] of keys with lists or ranges, such as \"disks\" = \"8..32:8\"",
        ),
    ],
);

/// The host.
pub(super) const HOST: Table = Table::new(
    "a host",
    &[key("processors", "processors that compute, 1 to 65536; without it as many as are asked for")],
);

const KIND: Key = key(
    "kind",
    "what it is: \"hard_disk\", \"ssd\", \"nvme\", \"cloud_volume\", \"latency_cap\", \"histogram\" or \"zoned_disk\"",
);
const MODEL: Key = key(
    "model",
    "a device of the catalogue, whose figures count where none is given, such as model = \"sata_1t_2010\"",
);
const CAPACITY: Key = key("capacity", "what it holds, 1 MiB to 1 PiB, such as capacity = \"400 GB\"");

/// A device whose kind is not known yet.
pub(super) const DEVICE: Table = Table::new("a device", &[KIND, MODEL]);

/// A hard disk by its data sheet.
pub(crate) const HARD_DISK: Table = Table {
    called: "a hard disk",
    keys: &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        key("capacity", "what it holds, 1 MB to 1 PB, such as capacity = \"18.37 GB\""),
        key("rpm", "turns a minute, 1000 to 100000, such as rpm = \"7200 rpm\""),
        key("surfaces", "data surfaces, 1 to 100"),
        key("zones", "zones, 1 to 1000"),
        key(
            "outer_rate",
            "streaming at the outer edge, 0.1 to 10000 MB/s, such as outer_rate = \"130 MB/s\"",
        ),
        key(
            "inner_rate",
            "streaming at the inner edge, 0.1 MB/s up to outer_rate, such as inner_rate = \"60 MB/s\"",
        ),
        key("track_seek", "read seek to the next track, up to 1 s, such as track_seek = \"0.6 ms\""),
        key("average_seek", "average read seek, more than track_seek, such as average_seek = \"5.2 ms\""),
        key("full_seek", "read seek over all tracks, more than average_seek, such as full_seek = \"10 ms\""),
    ],
    more: &[
        key(
            "write_settle",
            "what a write takes more to settle, up to 1 s, such as write_settle = \"0.3 ms\"",
        ),
        key("head_switch", "to another head, up to 1 s, such as head_switch = \"0.8 ms\""),
        key("overhead", "what the controller takes for a command, up to 1 s, such as overhead = \"0.1 ms\""),
        key("bus_rate", "between host and cache, 0.1 MB/s to 1000 GB/s, such as bus_rate = \"300 MB/s\""),
        key("cache", "its cache, 512 bytes to 1 TiB, such as cache = \"16 MiB\""),
        key("segments", "segments of the cache, 1 to 100000"),
        key("write_back", "whether a write is done when it is in the cache: true or false"),
        key("queue_depth", "commands among which it chooses, 1 to 65536"),
        key("order", "the order of service: \"fcfs\", \"sstf\", \"look\", \"c_look\" or \"sptf\""),
    ],
};

/// Flash with its translation layer.
pub(super) const SSD: Table = Table {
    called: "an SSD",
    keys: &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        key("channels", "channels of the controller, 1 to 1048576"),
        key("chips", "chips on a channel, 1 to 1048576"),
        key("dies", "dies of a chip, 1 to 1048576"),
        key("planes", "planes of a die, 1 to 1048576"),
        key("blocks", "blocks of a plane, 3 to 1048576"),
        key("pages", "pages of a block, 1 to 1048576"),
        key("page", "bytes of a page, 512 bytes to 1 MiB, such as page = \"16 KiB\""),
        key(
            "over_provisioning",
            "physical over logical capacity, less 1, 0.1 % to 10000 %, such as over_provisioning = \"7 %\"",
        ),
        key("collection", "which block is collected: \"greedy\" (fewest pages still wanted) or \"fifo\""),
    ],
    more: &[
        key("read", "reading a page from the cells, up to 1 s, such as read = \"41 us\""),
        key("program", "programming a page, up to 1 s, such as program = \"660 us\""),
        key("erase", "erasing a block, up to 1 h, such as erase = \"3.5 ms\""),
        key("channel_rate", "rate of a channel, such as channel_rate = \"667 MB/s\""),
        key(
            "command",
            "what any command costs before it does anything, up to 1 s, such as command = \"5 us\"",
        ),
        key("link_rate", "rate of the link to the host, each way, such as link_rate = \"3360 MB/s\""),
        key("buffer_pages", "pages of the write buffer, 0 (none) to 1048576"),
        key("reads_first", "whether reads of the host go before all else: true or false"),
        key(
            "suspend",
            "what suspending a program or erase costs, where it does, such as suspend = \"10 us\"",
        ),
        key(
            "overwrites",
            "how often it was written over at random before the run begins, 0 to 20 times its size; without it all of it was \
             written once, in order",
        ),
        key(
            "fresh",
            "whether nothing was ever written: true or false, the default; reads of such pages cost no flash",
        ),
    ],
};

/// Parallel units behind a queue.
pub(super) const NVME: Table = Table::new(
    "an NVMe drive",
    &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        CAPACITY,
        key("units", "units that work side by side, 1 to 65536"),
        key("read", "what a unit takes for a read beside its bytes, up to 1 h, such as read = \"80 us\""),
        key("read_rate", "rate of a unit for reads, such as read_rate = \"400 MB/s\""),
        key("write", "what a unit takes for a write beside its bytes, up to 1 h, such as write = \"20 us\""),
        key("write_rate", "rate of a unit for writes, such as write_rate = \"300 MB/s\""),
        key(
            "spread",
            "standard deviation of a time over its mean, 0 to 10, log-normal; or \"exponential\"; by default 0",
        ),
        key(
            "piece",
            "bytes that one unit serves of a request, 512 bytes to 64 MiB, such as piece = \"128 KiB\"",
        ),
        key("link_rate", "rate of the link, where it is a limit, such as link_rate = \"3500 MB/s\""),
    ],
);

/// A volume of a cloud.
pub(super) const CLOUD: Table = Table::new(
    "a cloud volume",
    &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        CAPACITY,
        key("read", "what a read takes at least, up to 1 h, such as read = \"0.7 ms\""),
        key("write", "what a write takes at least, up to 1 h, such as write = \"0.9 ms\""),
        key("iops", "operations a second that always come, such as iops = \"3000 IOPS\""),
        key("burst_iops", "operations a second while there are credits, at least iops"),
        key("credits", "operations of credit, all there at the beginning, such as credits = 5400000"),
        key("rate", "bytes a second that always come, such as rate = \"125 MB/s\""),
        key("burst_rate", "bytes a second while there are credits, at least rate"),
        key("byte_credits", "bytes of credit, all there at the beginning, such as byte_credits = \"1 TiB\""),
        key("unit", "bytes that count as one operation at most, such as unit = \"256 KiB\""),
        key("merges", "whether requests that follow each other are merged: true or false"),
    ],
);

/// A latency and caps.
pub(super) const CAP: Table = Table::new(
    "a device of one latency",
    &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        CAPACITY,
        key("latency", "what a request takes at least, up to 1 h, such as latency = \"0.2 ms\""),
        key("iops", "requests a second at most, such as iops = \"150 IOPS\"; without it any number"),
        key("rate", "bytes a second at most, such as rate = \"125 MB/s\"; without it any number"),
    ],
);

/// Times of a histogram.
pub(super) const HISTOGRAM: Table = Table::new(
    "a device by a histogram",
    &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        CAPACITY,
        key("mean", "mean time of a request, which the buckets allow, such as mean = \"2.06 ms\""),
        key(
            "fastest",
            "where the lowest bucket begins, as no request takes no time, such as fastest = \"62.5 us\"",
        ),
        key(
            "tail",
            "how far times lie at the edges of their buckets: 0 % all as near to one value as buckets and mean allow, 100 % the \
             highest buckets at their upper edges and the others at their lower ones",
        ),
        key("bucket", "buckets, from the lowest: one table [[device.NAME.bucket]] each"),
    ],
);

/// A bucket of it.
pub(super) const BUCKET: Table = Table::new(
    "a bucket",
    &[
        key("to", "its upper bound, such as to = \"2 ms\""),
        key("share", "share of the requests, 0 % to 100 %, such as share = \"8.6 %\""),
    ],
);

/// Zones and one arm.
pub(super) const ZONED: Table = Table::new(
    "a zoned disk",
    &[
        KIND,
        MODEL,
        key("about", "what it is, in a line"),
        CAPACITY,
        key("latency", "half a turn and what a command costs, up to 1 h, such as latency = \"4.2 ms\""),
        key("outer_rate", "rate at the first byte, such as outer_rate = \"146 MB/s\""),
        key("inner_rate", "rate at the last byte, such as inner_rate = \"97 MB/s\""),
        key("track_seek", "seek to the next track, up to full_seek, such as track_seek = \"0.8 ms\""),
        key("full_seek", "seek over the whole disk, up to 1 h, such as full_seek = \"16 ms\""),
    ],
);

/// An array.
pub(super) const ARRAY: Table = Table::new(
    "an array",
    &[
        key(
            "kind",
            "what it is: \"concat\", \"stripe\", \"mirror\", \"raid10\", \"raid5\", \"raid6\" or \"asm\"",
        ),
        key(
            "of",
            "the storage that it is made of, by name, or several names in a list; each member is one of its own",
        ),
        key("members", "how many of it, 1 to 1024, or as many numbers as `of` has names"),
        key(
            "used",
            "how much of each member is used, from its beginning, such as used = \"100 GiB\"; without it all",
        ),
        key(
            "stripe",
            "bytes on one member before the next one's turn, 512 bytes to 1 GiB, such as stripe = \"64 KiB\"",
        ),
        key("copies", "members that hold the same in raid10, 2 to 16; by default 2"),
        key(
            "read_from",
            "which copy is read: \"first\", \"round_robin\", \"nearest\" or \"preferred\"; by default each in its turn (round_robin) \
             of mirror and raid10, the first of asm, which spreads the first copies over all disks",
        ),
        key("preferred", "the storage of `of` that reads prefer, by name"),
        key(
            "partial",
            "how a row is written in part: \"modify\", \"reconstruct\" or \"fewer\" (reads), the default",
        ),
        key("redundancy", "copies of each extent of asm: \"external\" (1), \"normal\" (2) or \"high\" (3)"),
        key(
            "striping",
            "stripes of asm: \"coarse\" (an allocation unit), the default, or \"fine\" (128 KiB over eight)",
        ),
        key("au", "allocation unit of asm, a multiple of 128 KiB up to 64 MiB, such as au = \"1 MiB\""),
        key(
            "groups",
            "failure groups of asm, evenly over the members of a name, or as many numbers as `of` has names; by default \
             one for each member, or for each name where there are several",
        ),
    ],
);

/// A cache.
pub(super) const CACHE: Table = Table::new(
    "a cache",
    &[
        key("before", "the storage that it stands before, by name"),
        key("on", "the device that holds it, by name"),
        key("capacity", "what it holds, at most 16777216 pages, such as capacity = \"4 GiB\""),
        key("page", "bytes of a page, 512 bytes to 64 MiB, such as page = \"8 KiB\""),
        key("policy", "what is kept: \"lru\", \"arc\" or \"s3_fifo\""),
        key("writes", "what a write does: \"around\" (passes it), \"through\" (goes to both) or \"back\""),
    ],
);

/// A link.
pub(super) const LINK: Table = Table::new(
    "a link",
    &[
        key("before", "the storage behind it, by name"),
        key("rate", "bytes a second, each way if full duplex, such as rate = \"400 MB/s\""),
        key("delay", "time on the way, each way, up to 1 h, such as delay = \"50 us\""),
        key(
            "overhead",
            "time that a command or answer takes beside its bytes, up to 1 h, such as overhead = \"5 us\"",
        ),
        key("duplex", "\"full\": both ways at once, or \"half\""),
        key("depth", "requests under way at most, 1 to 65536; without it any number"),
    ],
);

/// What a host makes of storage.
pub(super) const VOLUME: Table = Table::new(
    "a volume",
    &[
        key("on", "the storage that it is made of, by name"),
        key(
            "scheduler",
            "the I/O scheduler before it: of Linux 2.6 \"noop\", \"deadline\", \"anticipatory\", \"cfq_2_6_12\" or \
             \"cfq_2_6_18\", of today \"none\", \"mq_deadline\", \"kyber\" or \"bfq\", each with its kernel's numbers; without it \
             requests pass as they come",
        ),
        key("driver_depth", "requests that the driver takes from the scheduler, 1 to 65536"),
        key(
            "plug",
            "whether requests are held back so that others can join them: true (the default) or false",
        ),
        key("merging", "what is merged: \"off\", \"back\" or \"back_and_front\" (the default)"),
        key("memory", "memory for pages of files, 64 KiB to 64 GiB; without it reads go around (O_DIRECT)"),
        key(
            "read_ahead",
            "what is read ahead at most, 0 or a page of 4 KiB to 64 MiB; by default 128 KiB, as in Linux 2.6",
        ),
        key(
            "whole_reads",
            "whether what is read without reading ahead is asked for at once; by default page by page, as in Linux 2.6",
        ),
        key(
            "copy_rate",
            "bytes a second that are copied to a reader, such as copy_rate = \"400 MB/s\"; without it no time",
        ),
    ],
);

/// Keys that every load has.
const LOAD: &[Key] = &[
    key(
        "kind",
        "what it is: \"requests\" (the default), \"overwrite\" (an SSD written over at random, without time), \"scan\", \
         \"index_reads\", \"database_writer\", \"log\", \"temp\", \"oltp\" or \"dss\"",
    ),
    key("on", "the storage that it asks, by name"),
];

const REGION: Key = key(
    "region",
    "part of the storage, such as region = { from = \"0 %\", length = \"25 %\" }; by default all",
);
const COMPUTE: Key = key(
    "compute",
    "what is computed for each read or write, up to 1 h, such as compute = \"2 ms\"; by default nothing",
);
const THINK: Key =
    key("think", "mean pause before the next one, up to 1 h, such as think = \"5 ms\"; by default none");

/// A full scan by parallel slaves.
pub(super) const SCAN: Table = Table {
    called: "a scan",
    keys: &[
        key("degree", "slaves that read side by side, 1 to 1024; 1 reads extent by extent"),
        key("table", "what is read once, from the beginning of the storage, such as table = \"2 GB\""),
        key("extent", "bytes of an extent, which no read and no granule goes beyond; without it one extent"),
        key(
            "read",
            "bytes of a read: multiblock count times block, 512 bytes to 64 MiB, such as read = \"128 KiB\"",
        ),
        key("granules", "granules that each slave gets, 1 to 100000; by default 13, as Oracle has it"),
        key(
            "by_turns",
            "whether slaves take granules by turns; by default the next one that nobody has taken",
        ),
        key("under_way", "reads that a slave keeps under way, 1 to 64; by default 1"),
        COMPUTE,
    ],
    more: LOAD,
};

/// Look-ups through an index.
pub(super) const INDEX_READS: Table = Table {
    called: "reads through an index",
    keys: &[
        key("index", "where the index lies, such as index = { from = \"0 %\", length = \"10 %\" }"),
        key("table", "where the table lies, such as table = { from = \"10 %\", length = \"90 %\" }"),
        key("block", "bytes of a block, 512 bytes to 64 MiB, such as block = \"8 KiB\""),
        key("fan_out", "blocks that a branch points to, 2 to 65536"),
        key("cached_levels", "levels in memory, from the root down, 0 to 32"),
        key("table_blocks", "blocks of the table that a look-up reads on average, 0 to 1000000"),
        key("sessions", "sessions that look up, 1 to 65536"),
        key("count", "look-ups of each session; without it until the end"),
        THINK,
        COMPUTE,
    ],
    more: LOAD,
};

/// A log with those who commit.
pub(super) const LOG: Table = Table {
    called: "a log",
    keys: &[
        REGION,
        key("members", "members of the log, 1 to 16, one behind the other in the region; by default 1"),
        key("files", "log files of each member, 1 to 1000; by default 2"),
        key("log_block", "writes are whole blocks of this, 512 bytes to 64 KiB; by default 512 bytes"),
        key("most_write", "redo of one write at most, 512 bytes to 64 MiB; by default 1 MiB"),
        key("switch", "what a switch to the next file takes, up to 1 h; by default nothing"),
        key("committers", "sessions that commit, wait, pause and commit again, 1 to 65536"),
        THINK,
        key(
            "rate",
            "bursts of commits a second instead of committers, at random times, such as rate = \"100 /s\"",
        ),
        key("burst", "commits of a burst, 1 to 65536; by default 1"),
        key("apart", "time between two commits of a burst, up to 1 h; by default none"),
        key("redo", "bytes of redo of a commit, 1 byte to 64 MiB, such as redo = \"2 KiB\""),
        key("varies", "whether redo is exponential about that: true or false (the default)"),
        COMPUTE,
    ],
    more: LOAD,
};

/// Changed blocks and who writes them.
pub(super) const DATABASE_WRITER: Table = Table {
    called: "a database writer",
    keys: &[
        REGION,
        key("block", "bytes of a block, 512 bytes to 64 MiB, such as block = \"8 KiB\""),
        key("changes", "blocks changed in memory a second, at random times, such as changes = \"2000 /s\""),
        key(
            "pattern",
            "which blocks are changed: \"random\", \"sequential\", \"strided\", \"hotspot\" or \"zipf\"; one that waits to be \
             written and is changed again is written once",
        ),
        key("stride", "blocks from one to the next where strided, 1 or more, such as stride = 16"),
        key("theta", "exponent where zipf, 0 to 10, such as theta = 1.1"),
        key("hot", "shares where hotspot, such as hot = { accesses = \"80 %\", blocks = \"20 %\" }"),
        key("count", "changes in all; without it until the end"),
        key(
            "most_dirty",
            "changed blocks that memory holds, 1 to 16777216; who changes another one waits (free buffer waits); by default 65536",
        ),
        key(
            "begin_at",
            "changed blocks at which writing begins, 1 to 16777216, at most most_dirty; by default a quarter of it",
        ),
        key(
            "every",
            "or when so long has passed since the last batch, 1 us to 1 h: all that waits then is written, in as many batches as that \
             takes; by default 3 s, the time-out of the database writer, and never where oldest or checkpoint_every is given",
        ),
        key(
            "oldest",
            "or when a block has waited so long, 1 us to 1 h, and those alone: the incremental checkpoint, as log_checkpoint_timeout bounds \
             it; by default it waits for the others",
        ),
        key("checkpoint_every", "from one full checkpoint to the next, 1 us to 1 h; by default none comes"),
        key("batch", "blocks of a batch (db file parallel write) at most, 1 to 16777216; by default 256"),
        key("under_way", "writes of a batch under way at once, 1 to 65536; by default 64"),
        key(
            "by_address",
            "whether a batch is written by address: true or false (as they were changed), the default",
        ),
    ],
    more: LOAD,
};

/// A work area that spills.
pub(super) const TEMP: Table = Table {
    called: "a spill to temp",
    keys: &[
        REGION,
        key("bytes", "what spills, 1 MiB to 1 PiB, such as bytes = \"20 GiB\""),
        key("spill", "what spills: \"sort\" or \"hash\""),
        key("memory", "memory of a sort: its runs are as long, such as memory = \"256 MiB\""),
        key("width", "runs that a sort merges at once, 2 to 65536"),
        key("partitions", "partitions of a hash join, 1 to 65536"),
        key("io", "bytes of a request, 512 bytes to 64 MiB, such as io = \"256 KiB\""),
        key("under_way", "requests under way at once, 1 to 65536; by default 1"),
        COMPUTE,
    ],
    more: LOAD,
};

/// Transactions.
pub(super) const OLTP: Table = Table {
    called: "a mix of transactions",
    keys: &[
        key(
            "data",
            "where the data lie, such as data = { from = \"0 %\", length = \"90 %\" }; by default all",
        ),
        key("log_on", "the storage of the log, by name; by default that of the data"),
        key("log", "where the log lies there, such as log = { from = \"90 %\" }"),
        key("sessions", "sessions, 1 to 65536"),
        key("count", "transactions of each; without it until the end"),
        key(
            "reads",
            "blocks of 8 KiB at random that a transaction reads from storage on average, 0 to 1000000; by default 9.5",
        ),
        key(
            "changes",
            "blocks that it changes on average, 0 to 1000000; by default 5. A database writer writes them in batches of 256, 64 \
             under way, when 1,024 wait, or all after 3 s, and holds 65,536",
        ),
        key(
            "redo",
            "bytes of redo of a commit on average (exponential), 1 byte to 64 MiB, such as redo = \"6 KiB\", the default",
        ),
        THINK,
        COMPUTE,
    ],
    more: LOAD,
};

/// Queries.
pub(super) const DSS: Table = Table {
    called: "a mix of queries",
    keys: &[
        key("tables", "where the tables lie, such as tables = { from = \"0 %\", length = \"80 %\" }"),
        key("temp", "where temp lies, such as temp = { from = \"80 %\" }"),
        key("streams", "streams of queries side by side, 1 to 65536"),
        key("queries", "queries of each stream, 1 to 1000000; by default 22"),
        key(
            "scan",
            "share of the tables that a query scans, in reads of 1 MiB, 0 % to 100 %; by default 50 %. Then it looks up 1,000 blocks \
             of 8 KiB on average",
        ),
        key("under_way", "reads of a scan under way at once, 1 to 65536; by default 8"),
        key(
            "spills",
            "share of the queries that spill, 0 % to 100 %; by default 25 %. Such a query sorts a fifth of what it scanned, in \
             requests of 256 KiB",
        ),
        key("memory", "memory of a work area, such as memory = \"256 MiB\", the default"),
        COMPUTE,
    ],
    more: LOAD,
};

/// Requests as in a job.
pub(super) const REQUESTS: Table = Table { called: "a load of requests", keys: STREAM.keys, more: LOAD };

/// An SSD that is written over without time.
pub(super) const OVERWRITE: Table = Table {
    called: "a load that overwrites",
    keys: &[
        key("before", "how often the SSD is written over before anything counts, 0 to 20 times its size"),
        key("times", "how often it is written over then, 0.1 to 20 times its size"),
    ],
    more: LOAD,
};

/// A figure.
pub(super) const FIGURE: Table = Table::new(
    "a figure",
    &[
        key("name", "what it is called, such as name = \"write IOPS\""),
        key("of", "the load or storage that it is of, by name"),
        key(
            "stream",
            "of a load with several streams, which one: such as \"log file sync\", \"reads\", \"transactions\"; a load with one stream needs none",
        ),
        key(
            "measure",
            "of a load: \"iops\", \"mbps\", \"mean\", \"p50\", \"p90\", \"p99\", \"p999\", \"longest\", \"elapsed\", \"requests\", \
             \"unserved\", \"formula_commit\" (of a log on one unit of nvme); of storage: \"capacity\", \"requests\", \"iops\", \"busy\", \"hit_rate\", \"write_amplification\", \
             \"formula_amplification\"",
        ),
        key(
            "against",
            "the point whose figure it is divided by, such as against = { redundancy = \"external\" }; keys that are not named \
             are alike",
        ),
        key("less", "the figure that is taken from it at each point, by name"),
        key("per", "the figure that it is divided by at each point, by name"),
    ],
);

/// A published number.
pub(super) const PUBLISHED: Table = Table::new(
    "a published number",
    &[
        key("figure", "the figure, by name"),
        key("at", "at which point of the sweep, such as at = { redundancy = \"normal\" }"),
        key("value", "the number with its unit as the figure has it, and its origin"),
        key("by", "another figure instead of a number: a formula, or another load"),
        key(
            "is",
            "what the number is: \"published\", the default of a value; \"formula\", the default of `by`, also arithmetic of one's own; \
             or \"input\", which the scenario was given and has to come back. Published ones alone are comparisons",
        ),
        key("result", "what the result is called in the origins of parameters that were fitted to it"),
        key("within", "how far apart they may lie, 0.001 % to 1000 %, such as within = \"5 %\""),
    ],
);
