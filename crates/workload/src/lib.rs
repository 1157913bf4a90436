//! The language of load: what is asked of a device, and what it answers at which load.
//!
//! A [`Job`] says it, measured and simulated alike: streams of [`Request`]s by [`Pattern`], [`Region`]
//! and [`Arrivals`], repeatable by their seed. A [`Recorder`] takes in
//! what came of it, a [`RunResult`] keeps it. A [`DeviceCurve`] or a [`Queue`] says what comes of it.

mod arrival;
mod commits;
mod compared;
mod counts;
mod course;
mod curve;
mod curve_of_results;
mod curve_open;
pub mod form;
mod found;
mod hosts;
mod interval;
mod job;
mod job_file;
mod listed;
mod load_rows;
mod measured;
mod pattern;
pub mod quantity;
mod queue;
mod record;
mod region;
mod result;
mod scan;
mod seed;
mod simulated;
mod slob;
mod trace;
mod volume;

pub use arrival::{Arrivals, Due, MOST_DEPTH};
pub use commits::{Committers, Group, MOST_WRITE_BYTES};
pub use compared::{ComparedFigure, ComparedRun, ResultComparison, ResultSide, compare_results};
pub use course::{Course, Step};
pub use curve::{CurveError, CurveLatency, CurvePoint, DeviceCurve, ENDS_BELOW_KNEE, undisturbed};
pub use curve_of_results::ENDED_BY_ERROR;
pub use curve_open::ForArrivals;
pub use found::{
    Figure, LogFound, LogReads, LogStep, RateStep, RatesFound, ScanFound, ScanStep, SeekStep, SlobEvent,
    SlobFound, Stripe, StripeStep, StrokeStep, SweetSpot, Times, ZoneStep, ZonesFound,
};
pub use hosts::{HostRun, HostsFound, JudgedBy, ReadersTime, SlowHost, together};
pub use interval::{CONFIDENCE_PCT, batches_as_one, half_width};
pub use job::{End, Flush, Job, Operation, Request, Requests, Size, Stream};
pub use job_file::{
    BLOCK, END, HOT, JobFile, JobFileError, REGION, STREAM, job_file_text, read_end, read_job_file,
    read_pattern, read_region, read_stream,
};
pub use listed::{ListedKey, ListedModel, ListedTable, Needed};
pub use measured::{Calibration, Form, Knee, Matrix, Measured, Parameters, Point, Setting};
pub use pattern::{Blocks, Pattern};
pub use queue::Queue;
pub use record::{Recorded, Recorder, Stretch};
pub use region::{Extent, Region};
pub use result::{
    COMMIT, CannotMerge, DeviceFacts, Environment, LatencyFrom, LatencyUs, LimitedBy, MOST_FAILED,
    RateInterval, RunResult, StreamResult, WAIT, histogram_of,
};
pub use scan::Scan;
pub use seed::{Seeded, seed_of};
pub use simulated::{
    Beside, FigureUnit, GivenParameter, PublishedRow, SimulatedFigure, SimulatedFound, SimulatedPoint,
    SweptKey, SweptValue,
};
pub use slob::{Hot, Slob, Think};
pub use trace::{
    Beyond, DamagedLine, Placed, Placement, Sources, Trace, TraceFormat, TraceFound, TraceReader,
    TraceSource, Traced, USUAL_BLOCK, survey,
};
pub use volume::{Layout, Piece, Volume};
