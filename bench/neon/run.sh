#!/bin/sh
# Runs the tests of the search kernels for 64-bit ARM, under emulation where this machine is another.
#
# On Debian: apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
#            rustup target add aarch64-unknown-linux-gnu
set -eu
target=aarch64-unknown-linux-gnu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
# The kernels alone, so that little has to be built for the other machine.
cat > "$folder/Cargo.toml" <<END
[package]
name = "kernels"
version = "0.0.0"
edition = "2024"
[dev-dependencies]
proptest = { version = "1.12", default-features = false, features = ["std"] }
[profile.dev]
opt-level = 1
[workspace]
END
cat > "$folder/src/lib.rs" <<END
#![allow(dead_code)]
#[path = "$root/crates/mrmr-search/src/kernels/mod.rs"]
mod kernels;

#[test]
fn the_loops_for_arm_are_the_ones_that_run() {
    assert_eq!(kernels::Kernels::available().next().map(|found| found.0), Some("neon"));
}
END
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="${LINKER:-aarch64-linux-gnu-gcc}"
if [ "$(uname -m)" != aarch64 ]; then
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="${RUNNER:-qemu-aarch64 -L /usr/aarch64-linux-gnu}"
fi
CARGO_TARGET_DIR="$folder/target" cargo test --quiet --manifest-path "$folder/Cargo.toml" --target "$target"
