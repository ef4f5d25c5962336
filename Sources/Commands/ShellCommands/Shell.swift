internal import ArgumentParser
package import ChatSession
package import Foundation
package import MessageModel
package import MessageStorage
package import TerminalText

/// A command's environment: streams, variables, clock and terminal.
///
/// A command uses nothing else of the process, so that tests can run it in memory.
package struct Shell {
  package internal(set) var environment: [String: String]
  /// The settings file as it was when the command began.
  let settings: [String: String]
  package var standardInput: Int32
  /// The sink of data.
  package var output: any ByteSink
  /// The sink of progress, summaries and errors.
  package var errors: any ByteSink
  package var localZone: () -> TimeZone
  package var now: @Sendable () -> Timestamp
  package var build = Build()
  /// Whether the command handles the signals of the process.
  package var takesSignals: Bool
  /// Prepares the process for an import, before it begins.
  package var prepareForImport: () -> Void
  /// `nil` for none.
  package var pager: Pager?
  /// Restarts this program as a server; returns only on failure.
  package var becomeServer: ([String]) -> OtherProgram.Failure = OtherProgram.becomeServer
  /// Replaces this process with a program of `PATH`, run in a folder; returns only on failure.
  package var runProgram: ([String], String?) -> OtherProgram.Failure = OtherProgram.run
  /// Opens a window and returns when the user leaves it.
  package var openWindow: (WindowRequest) throws -> WindowEnd

  /// The user's name from the settings, else from the environment.
  package var userName: String? {
    [settings["me"], environment["USER"]].compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Defaults are those of this process.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment, standardInput: Int32 = STDIN_FILENO,
    output: any ByteSink = DescriptorSink(STDOUT_FILENO),
    errors: any ByteSink = DescriptorSink(STDERR_FILENO),
    localZone: @escaping () -> TimeZone = { .current }, now: @escaping @Sendable () -> Timestamp = systemTime,
    takesSignals: Bool = true, prepareForImport: @escaping () -> Void = {},
    pager: Pager? = nil, openWindow: @escaping (WindowRequest) throws -> WindowEnd
  ) {
    self.environment = environment
    settings = ConfigFile(environment: environment).settings
    self.standardInput = standardInput
    self.output = output
    self.errors = errors
    self.localZone = localZone
    self.now = now
    self.takesSignals = takesSignals
    self.prepareForImport = prepareForImport
    self.pager = pager
    self.openWindow = openWindow
  }

  var isInteractive: Bool { isatty(standardInput) == 1 && output.isTerminal }

  /// Whether questions can be asked: standard input and standard error are terminals.
  var canAsk: Bool { isatty(standardInput) == 1 && errors.isTerminal }

  var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Makes Ctrl-C stop the following work after a whole record.
  func listenForInterruption() {
    if takesSignals { Interruption.listen() }
  }

  /// Records signals from the very start for `follow`, which ends by signals with a status of its own;
  /// returns whether it is `follow`. Call this first.
  package static func expectsSignals(_ arguments: some Collection<String>) -> Bool {
    guard arguments.first == Follow.configuration.commandName else { return false }
    StopSignals.handleFromNowOn()
    return true
  }

  func stopSignals() throws(UsageError) -> StopSignals? { takesSignals ? try StopSignals() : nil }
}

extension Shell {
  /// Runs a command line and reports errors.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit status, as the README lists it.
  package func run(_ arguments: [String]) -> ExitStatus {
    defer { pager?.finish() }
    if arguments.first == CompletionScripts.request { return complete(Array(arguments.dropFirst())) }
    // ArgumentParser would visit all commands first: half of the program's instructions.
    if arguments == ["--version"] { return answer(versionText) }
    let arguments = ArgumentOrder.normalized(
      CompletionScripts.asked(by: arguments), subcommands: CommandNames.all)
    do {
      if let page = try HelpPage.text(askedBy: arguments) { return show(page) }
      if let mistake = CommandNames.unknown(inHelp: arguments) { return complain(mistake) }
      var command = try CommandNames.parsed(arguments) ?? Scrollback.parseAsRoot(arguments)
      if let command = command as? any ShellCommand { return try command.run(in: self) }
      try command.run()
      return .done
    } catch let error as any ExplainedError {
      return complain(CommandNames.mistake(in: arguments, after: error) ?? error)
    } catch {
      return answer(error, to: arguments)
    }
  }

  /// Reports an error and returns its exit status.
  package func complain(_ error: any ExplainedError) -> ExitStatus {
    Console(in: self).complain("scrollback: \(error.typed)")
    return ExitStatus(error)
  }

  private var columns: Int { environment["COLUMNS"].flatMap { Int($0) } ?? output.size?.columns ?? 80 }

  /// Prints help, or a usage error. ArgumentParser itself would print arguments with their control
  /// characters, and ignore write errors.
  private func answer(_ error: any Error, to arguments: [String]) -> ExitStatus {
    let text = Scrollback.fullMessage(for: error, columns: columns)
    if Scrollback.exitCode(for: error).isSuccess {
      return answer(text == Scrollback.version ? versionText : text)
    }
    let mistake = ArgumentMistake(Scrollback.message(for: error), in: text).error
    return complain(CommandNames.mistake(in: arguments, otherwise: mistake))
  }

  /// Shows a page in the pager.
  private func show(_ page: String) -> ExitStatus {
    var shell = self
    if let pager { shell.output = pager }
    return shell.answer(page.hasSuffix("\n") ? String(page.dropLast()) : page)
  }

  private func answer(_ text: String) -> ExitStatus {
    let console = Console(in: self)
    if !text.isEmpty { console.write(text + "\n") }
    console.flush()
    return .done
  }

  private var versionText: String { "\(Scrollback.version)\n\(build.text)" }
}

protocol ShellCommand: ParsableCommand {
  func run(in shell: Shell) throws -> ExitStatus
}

extension CommandConfiguration {
  /// Describes a subcommand of `scrollback`. Without the super command's name, ArgumentParser would first
  /// check requests for completion scripts of a command parsed by ``CommandNames`` as its own root: a sixth
  /// of the instructions of `tail`.
  static func ofShell(
    commandName: String, abstract: String, discussion: String = "",
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: commandName, _superCommandName: "scrollback", abstract: abstract, discussion: discussion,
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}

package struct WindowRequest: Sendable {
  /// The context to begin in.
  package var context: ReplContext
  package var store: SynchronousMessageStore
  /// The folder of the state kept between runs.
  package var state: StateFolder
  package var config: ConfigFile
  package var traits: TerminalTraits
  /// Whether the window is read-only, with the keys of `less`.
  package var isView: Bool
  /// Whether the mouse wheel scrolls; the terminal then selects text only with Shift.
  package var usesWheel: Bool
  /// The file for the latency of each key; `nil` for none.
  package var trace: String?
}

package struct WindowEnd: Sendable {
  package var context: ReplContext
  /// The signal that ended it; `nil` if the user left.
  package var signal: Int32?

  package init(context: ReplContext, signal: Int32?) {
    self.context = context
    self.signal = signal
  }
}
