internal import ChatSession
package import Foundation
package import MessageModel
internal import MessageStorage

/// A command's environment: streams, variables, clock and terminal.
///
/// A command uses nothing else of the process, so that tests can run it in memory.
package struct Shell {
  package let environment: [String: String]
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
