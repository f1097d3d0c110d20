//! The address of an endpoint: scheme, host, port and path, nothing else.

use std::fmt;
use std::net::IpAddr;

/// An address to which the paths of a convention are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl {
    tls: bool,
    host: String,
    port: Option<u16>,
    /// Without a slash at its end.
    path: String,
}

impl BaseUrl {
    /// The address at the beginning of a text, and what stands behind it: nothing, or `:` and more.
    pub(crate) fn split(text: &str) -> Result<(BaseUrl, &str), String> {
        let (tls, rest) = if let Some(rest) = text.strip_prefix("https://") {
            (true, rest)
        } else if let Some(rest) = text.strip_prefix("http://") {
            (false, rest)
        } else {
            return Err("expected an address that begins with https:// or http://".to_owned());
        };
        // What may be a password is in no message.
        let front = rest.split('/').next().unwrap_or(rest);
        if front
            .find('@')
            .is_some_and(|at| !front[..at].ends_with(':'))
        {
            return Err("expected an address without a name or password before '@'".to_owned());
        }
        let host_end = if rest.starts_with('[') {
            rest.find(']').map(|end| end + 1)
        } else {
            rest.find([':', '/']).or(Some(rest.len()))
        };
        let Some((host, rest)) = host_end.map(|end| rest.split_at(end)) else {
            return Err("expected ']' at the end of the address's host".to_owned());
        };
        let legal = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if host.is_empty() || !host.chars().all(legal) {
            return Err(format!("expected a host, found '{host}'"));
        }
        let (port, rest) = port(rest)?;
        let path_end = if rest.starts_with('/') {
            rest.find(':').unwrap_or(rest.len())
        } else {
            0
        };
        let (path, rest) = rest.split_at(path_end);
        if let Some(wrong) = path
            .chars()
            .find(|c| "?#%\\".contains(*c) || c.is_whitespace())
        {
            return Err(format!("expected a path without '{wrong}', found '{path}'"));
        }
        if !(rest.is_empty() || rest.starts_with(':')) {
            return Err(format!(
                "expected a port, a path or a model, found '{rest}'"
            ));
        }
        let url = BaseUrl {
            tls,
            host: host.to_ascii_lowercase(),
            port,
            path: path.trim_end_matches('/').to_owned(),
        };
        Ok((url, rest))
    }

    /// Whether what is sent stays on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback())
    }

    /// Whether what is sent is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.tls
    }

    /// Whether a model whose name begins so could be taken for the port.
    pub(crate) fn needs_slash_before(&self, model: &str) -> bool {
        self.port.is_none()
            && self.path.is_empty()
            && model.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The address with a path of the convention; a `/v1` that both have stands there once.
    pub(crate) fn with(&self, path: &str) -> String {
        let base = self.to_string();
        let version = path.split('/').nth(1).unwrap_or_default();
        let twice = version.starts_with('v') && base.ends_with(&format!("/{version}"));
        match twice {
            true => format!("{base}{}", &path[version.len() + 1..]),
            false => format!("{base}{path}"),
        }
    }
}

/// The port at the beginning of a text, if `:` and digits alone stand there.
fn port(text: &str) -> Result<(Option<u16>, &str), String> {
    let Some(rest) = text.strip_prefix(':') else {
        return Ok((None, text));
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at(digits);
    if digits == 0 || !(after.is_empty() || after.starts_with([':', '/'])) {
        return Ok((None, text));
    }
    match number.parse() {
        Ok(port) if port > 0 => Ok((Some(port), after)),
        _ => Err(format!("expected a port from 1 to 65535, found '{number}'")),
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)?;
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        f.write_str(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_where_a_model_begins() {
        for (text, url, rest) in [
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000", ""),
            ("https://host/v1/", "https://host/v1", ""),
            (
                "https://host:8443/v1:Qwen/Q3",
                "https://host:8443/v1",
                ":Qwen/Q3",
            ),
            ("http://[::1]:80:org/model", "http://[::1]:80", ":org/model"),
            ("http://host:7b-model", "http://host", ":7b-model"),
            ("http://host:@cf/baai", "http://host", ":@cf/baai"),
        ] {
            let (found, after) = BaseUrl::split(text).unwrap();
            assert_eq!((found.to_string().as_str(), after), (url, rest), "{text}");
        }
    }

    #[test]
    fn a_password_is_refused_and_not_repeated() {
        for text in ["https://me:secret@host", "https://secret@host/v1"] {
            let error = BaseUrl::split(text).unwrap_err();
            assert!(error.contains('@') && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn loopback_is_told_from_names_that_look_like_it() {
        let is = |text: &str| BaseUrl::split(text).unwrap().0.is_loopback();
        assert!(is("http://localhost") && is("http://127.9.9.9:1") && is("http://[::1]/x"));
        assert!(!is("http://127.0.0.1.example.org") && !is("http://localhost.example.org"));
    }

    #[test]
    fn a_version_stands_once_in_a_path() {
        let with = |base: &str, path| BaseUrl::split(base).unwrap().0.with(path);
        assert_eq!(
            with("https://h/v1", "/v1/embeddings"),
            "https://h/v1/embeddings"
        );
        assert_eq!(
            with("https://h", "/v1/embeddings"),
            "https://h/v1/embeddings"
        );
        assert_eq!(with("https://h/v1", "/embed"), "https://h/v1/embed");
        assert_eq!(with("https://h/v1", "/v2/embed"), "https://h/v1/v2/embed");
    }
}
