//! Modelled devices: what a disk, a volume or an array would do with a load.
//!
//! A [`Device`] is told the time and never asks for it, so that one model serves two clocks: the
//! simulated one of [`closed_loop`], and the real one of a device that is served as a file. It draws
//! no random numbers of its own either: the same requests give the same events, on any machine.
//!
//! Devices: [`LatencyCap`], a service time and caps; [`ZonedDisk`], zones and one arm; [`HardDisk`], a disk in
//! full detail, as measured drives are read by [`disksim`]; [`Ssd`], flash with its translation layer;
//! [`Nvme`], parallel units behind a queue; [`CloudVolume`], a latency and buckets of credits;
//! [`Linked`], a device behind a bus or a network. [`caches`] and [`arrays`] make devices of others.
//!
//! Who asks them is a process: [`processes`] runs many of them on several volumes; [`loads`] are what they ask.
//! [`BlockLayer`] puts one of the [`schedulers`] of Linux before a device, [`FileCache`] its page cache.

pub mod arrays;
mod block_layer;
pub mod caches;
pub mod catalogue;
mod closed_loop;
mod device;
mod devices;
pub mod disksim;
mod events;
mod file_cache;
pub mod loads;
pub mod processes;
pub mod scenario;
pub mod schedulers;
mod time;

pub use block_layer::{BlockLayer, BlockLayerSpec, Merging, PlugSpec};
pub use closed_loop::{Run, Served, Stalled, closed_loop};
pub use device::{Completion, Device, Origin};
pub use devices::cloud_volume::{BucketSpec, CloudVolume, CloudVolumeSpec};
pub use devices::hard_disk::{
    After, ArmSpec, BusSpec, CacheSpec, DataSheet, DiskFault, HardDisk, HardDiskSpec, HeadOrder, LayoutSpec,
    OverheadSpec, ReadAhead, SeekCurve, ServiceOrder, Skew, Sparing, ZoneSpec,
};
pub use devices::latency_cap::{LatencyCap, LatencyCapSpec, NoSuchDevice};
pub use devices::link::{LinkSpec, Linked};
pub use devices::nvme::{Nvme, NvmeSpec, ServiceSpec, Spread};
pub use devices::ssd::formulas::{fifo_write_amplification, greedy_write_amplification};
pub use devices::ssd::translation::{Collection, FlashSpec, TranslationLayer, Wear, Work};
pub use devices::ssd::{Ssd, SsdSpec};
pub use devices::zoned_disk::{ZonedDisk, ZonedDiskSpec};
pub use events::{EventQueue, TooManyEvents};
pub use file_cache::{FileCache, FileCacheSpec, NotAhead};
pub use spindle_workload::{Operation, Request, Seeded};
pub use time::Picoseconds;
