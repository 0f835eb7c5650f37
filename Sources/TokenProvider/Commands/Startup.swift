import ArgumentParser
import Glibc
import ServiceConfiguration
import SystemFiles
import TokenService

/// What every command does on its way to serving.
enum Startup {
    /// Says what is wrong, a line each; the exit status to throw: that of a wrong command line if nothing else is wrong.
    static func refuse(_ errors: ConfigurationErrors, telling tell: (String) -> Void = Terminal.complain) -> ExitCode {
        for sentence in errors.sentences { tell(sentence) }
        return errors.areAllInFlags ? .validationFailure : .configuration
    }

    /// Says why the command line is wrong; the exit status to throw.
    static func misuse(_ sentence: String) -> ExitCode {
        Terminal.complain(sentence)
        return .validationFailure
    }

    /// What `body` makes; what is wrong with the configuration, or a file that it names, is said and ends the program.
    static func orRefuse<Value>(
        telling tell: (String) -> Void = Terminal.complain, _ body: () throws(ConfigurationErrors) -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw refuse(error, telling: tell)
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
