import ArgumentParser
import Glibc

/// What every command does on its way to serving.
enum Startup {
    /// The environment by name.
    static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let text = next.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
            next += 1
        }
        return variables
    }

    /// Says what is wrong with the configuration, a line each; the exit status to throw: that of a wrong command line if
    /// nothing else is wrong.
    static func refuse(_ errors: ConfigurationErrors) -> ExitCode {
        let status = refuse(errors.sentences)
        return errors.areAllInFlags ? .validationFailure : status
    }

    /// Says what is wrong, a line each; the exit status to throw.
    static func refuse(_ sentences: [String], telling tell: (String) -> Void = Terminal.complain) -> ExitCode {
        for sentence in sentences { tell(sentence) }
        return .configuration
    }

    /// Says why the command line is wrong; the exit status to throw.
    static func misuse(_ sentence: String) -> ExitCode {
        Terminal.complain(sentence)
        return .validationFailure
    }

    /// What `body` makes of a configuration; what is wrong with it is said and ends the program.
    static func orRefuseConfiguration<Value>(_ body: () throws(ConfigurationErrors) -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw refuse(error)
        }
    }

    /// What `body` makes of key files; what is wrong with them is said and ends the program as a wrong configuration does.
    static func orRefuse<Value>(
        telling tell: (String) -> Void = Terminal.complain, _ body: () throws(CredentialErrors) -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw refuse(error.sentences, telling: tell)
        }
    }

    /// What `body` makes of what decides about callers; what is wrong is said and ends the program as a wrong
    /// configuration does.
    static func orRefuseCallers<Value>(
        telling tell: (String) -> Void = Terminal.complain, _ body: () throws(CallerErrors) -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw refuse(error.sentences, telling: tell)
        }
    }

    /// Writes what was asked for to standard output; it ends the program with status 1 if that does not take it whole.
    static func deliver(_ text: String) throws {
        guard !Terminal.say(text) else { return }
        Terminal.complain("standard output cannot be written: \(String(cString: strerror(errno)))")
        throw ExitCode.failure
    }

    /// What `body` makes; an error is said in one sentence and ends the program with status 1.
    static func orExit<Value>(
        telling tell: (String) -> Void = Terminal.complain, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            tell("\(error)")
            throw ExitCode.failure
        }
    }
}
