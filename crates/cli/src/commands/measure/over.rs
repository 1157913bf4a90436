//! `--hosts`: the same measurement on several hosts at one instant.

use spindle_app::{HostsOrder, check_host, remote_path};

/// Hosts, and the way to them.
#[derive(clap::Args)]
pub(crate) struct Over {
    /// On these hosts instead, at one instant, over ssh. Each opens the paths that are named here for itself,
    /// with all that guards what is on them. Needs the same release there, and keys or an agent: nobody is asked
    /// for a password.
    #[arg(long, value_name = "HOST,...", value_delimiter = ',', value_parser = check_host)]
    hosts: Vec<String>,
    /// Where spindle is on the hosts.
    #[arg(long, value_name = "PATH", default_value = "spindle", requires = "hosts", value_parser = remote_path)]
    remote_spindle: String,
    /// The ssh client, with options of its own, such as "ssh -p 2222"; blanks part them.
    #[arg(long, value_name = "COMMAND", default_value = "ssh", requires = "hosts")]
    ssh: String,
}

impl Over {
    /// Are hosts named?
    pub(super) fn on_hosts(&self) -> bool {
        !self.hosts.is_empty()
    }

    /// Where to run; `None` for here.
    pub(super) fn order(&self) -> Result<Option<HostsOrder>, String> {
        if self.hosts.is_empty() {
            return Ok(None);
        }
        if let Some((_, twice)) =
            self.hosts.iter().enumerate().find(|(n, host)| self.hosts[..*n].contains(host))
        {
            return Err(format!("--hosts names `{twice}` twice"));
        }
        let ssh: Vec<String> = self.ssh.split_whitespace().map(str::to_owned).collect();
        if ssh.is_empty() {
            return Err("--ssh names no command".to_owned());
        }
        // Its path is quoted by now.
        let remote = format!("{} {}", self.remote_spindle, super::CHILD);
        Ok(Some(HostsOrder { hosts: self.hosts.clone(), ssh, remote }))
    }
}
