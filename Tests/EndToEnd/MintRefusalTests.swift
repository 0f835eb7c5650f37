import Foundation
import TestSupport
import Testing

/// Command lines that `token-provider mint` refuses, with the real binary.
@Suite(.blocking) struct MintRefusalTests {
    let files: OperatorFiles

    init() throws { files = try OperatorFiles() }

    @Test(arguments: [
        (
            ["--trip", "*"],
            #"--trip: the id is the wildcard "*"; expected one id, or instead of this flag --kind server for all trips "#
                + "and vehicles"
        ),
        (["--trip", "a", "--vehicle", "b"], "--trip and --vehicle: no token is for both; expected one of them"),
        (["--vehicle", ""], "--vehicle: the id is empty; expected 1 to 64 characters"),
        (["--kind", "consumer"], "--kind consumer: nothing says what the token is for; expected --trip ID"),
        (["--lifetime", "2h", "--trip", "t"], #"--lifetime: "2h" is over 1h; expected a duration from 1s to 1h"#),
        (
            ["--lifetime", "300", "--trip", "t"],
            "--lifetime: tokens that live 300 s are back-dated by 300 s; expected less than they live"
        ),
    ])
    func `invalid options print one error, no output, and exit with 64`(flags: [String], sentence: String) throws {
        let outcome = try files.mintByKey(flags)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.sentences == [sentence])
    }

    @Test(arguments: [
        (["--trip", "t", "--kind", "admin"], ["'admin' is invalid for '--kind <kind>'", "delivery_fleet_reader"]),
        (["--trip", "t", "--show", "--json"], ["'--show'", "'--json'"]),
        (["--trip", "t", "extra"], ["unexpected argument 'extra'"]),
    ])
    func `unknown words and conflicting flags are usage errors with status 64`(flags: [String], words: [String]) throws
    {
        let outcome = try files.mintByKey(flags)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    }

    @Test func `an id that is not UTF-8 is refused, not repaired`() throws {
        let script = #"exec "$0" mint --credentials "$1" --trip "$(printf 'trip\377')""#
        let outcome = try Program.run("/bin/sh", ["-c", script, Program.daemon, files.key.path])
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(
            outcome.sentences == [
                "--trip: the id is not valid UTF-8, or contains U+FFFD; expected UTF-8"
            ])
    }
}
