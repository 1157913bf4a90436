//! Names of hosts and paths there, before they reach ssh or a shell.

/// Looks at the name of a host, with a user or without one.
///
/// # Errors
/// In a sentence, where ssh or a shell could take it for anything else than a name.
pub fn check_host(name: &str) -> Result<String, String> {
    // `%` for the zone of an IPv6 address.
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:%".contains(c);
    let (user, host) = name.rsplit_once('@').map_or((None, name), |(user, host)| (Some(user), host));
    let part = |text: &str| !text.is_empty() && !text.starts_with('-') && text.chars().all(plain);
    if part(host) && user.is_none_or(part) {
        Ok(name.to_owned())
    } else {
        Err("a host is a name or an address as ssh has it, such as db1 or oracle@db1: letters, digits and . _ - : % \
             only, and no - at its beginning; ports, keys and jump hosts belong into ~/.ssh/config or --ssh"
            .to_owned())
    }
}

/// A path there as any shell takes it; `~/` at its beginning is the home there.
///
/// # Errors
/// In a sentence, where it cannot be written down for all shells.
pub fn remote_path(path: &str) -> Result<String, String> {
    if path.is_empty() || path.starts_with('-') || path.chars().any(|c| c.is_control() || c == '\\') {
        return Err(
            "it is no path that every shell takes: no - at its beginning, no \\ and no control characters"
                .to_owned(),
        );
    }
    let (home, rest) = path.strip_prefix("~/").map_or(("", path), |rest| ("~/", rest));
    Ok(format!("{home}'{}'", rest.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_could_be_more_than_a_name_is_refused() {
        for good in ["db1", "db-1.example.com", "oracle@db1", "10.0.0.7", "fe80::1%eth0", "root@::1", "a_b"] {
            assert_eq!(check_host(good).as_deref(), Ok(good));
        }
        let bad = [
            "",
            "-oProxyCommand=id",
            "a b",
            "a;id",
            "$(id)",
            "`id`",
            "a|b",
            "a&b",
            "a'b",
            "a\"b",
            "a\\b",
            "a\nb",
            "@db1",
            "oracle@",
            "oracle@-G",
            "-l@db1",
            "a*",
            "a>b",
            "ümlaut",
            "ssh://db1",
            "a@b@-c",
            "a@b@c",
            "[::1]",
            "a#b",
            "~a",
            "a{b,c}",
        ];
        for bad in bad {
            assert!(check_host(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_path_reaches_a_shell_as_one_word() {
        let word = |path: &str| {
            let script = format!("printf %s {}", remote_path(path).unwrap_or_default());
            let ran = std::process::Command::new("sh").args(["-c", &script]).env("HOME", "/there").output();
            ran.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default()
        };
        for path in ["spindle", "/opt/my tools/spindle", "/a'b/$(id)/`id`;x", "/opt/spindle*", "/a\"b"] {
            assert_eq!(word(path), path);
        }
        assert_eq!(word("~/bin/my spindle"), "/there/bin/my spindle");
        for bad in ["", "-x", "a\\b", "a\nb"] {
            assert!(remote_path(bad).is_err(), "{bad}");
        }
    }
}
