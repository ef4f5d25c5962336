internal import ChatSession
package import Foundation
package import MessageModel
internal import MessageStorage

/// The world that a command runs in: where it reads and writes, what surrounds it, and the terminal that it may take
/// over.
///
/// A command knows nothing of the process but this, so that it runs in a test as it does from a shell.
package struct Shell {
  /// The variables of the environment.
  package let environment: [String: String]
  /// The settings of the file, by name, as they were when the command began.
  let settings: [String: String]
  /// The descriptor of standard input, which stays its owner's.
  package var standardInput: Int32
  /// The sink of data.
  package var output: any ByteSink
  /// The sink of everything else: progress, summaries, complaints.
  package var errors: any ByteSink
  /// Tells the zone of times if nobody says otherwise.
  package var localZone: () -> TimeZone
  /// Tells the time.
  package var now: @Sendable () -> Timestamp
  /// The parts that the program was built of.
  package var build = Build()
  /// Whether the signals that the process gets are meant for the command.
  package var takesSignals: Bool
  /// Readies the process for an import, before anything of it begins.
  package var prepareForImport: () -> Void
  /// The program that shows long output on a terminal by the screen; `nil` for none.
  package var pager: Pager?
  /// Begins this program again as a server, with what it is given; returns only if that cannot be done.
  package var becomeServer: ([String]) -> OtherProgram.Failure = OtherProgram.becomeServer
  /// Runs a program of `PATH` in a folder in place of this one, by its words; returns only if that cannot be done.
  package var runProgram: ([String], String?) -> OtherProgram.Failure = OtherProgram.run
  /// Opens a window onto a conversation, and returns when it is left.
  package var openWindow: (WindowRequest) throws -> WindowEnd

  /// The name of the user, as set, else by the environment; `nil` if that does not say.
  package var userName: String? {
    [settings["me"], environment["USER"]].compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Creates a world; what is not given is that of this process.
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

  /// Whether somebody types and sees what is answered.
  var isInteractive: Bool { isatty(standardInput) == 1 && output.isTerminal }

  /// Whether somebody can be asked: they type, and see what is said besides data.
  var canAsk: Bool { isatty(standardInput) == 1 && errors.isTerminal }

  /// The number of threads that this computer runs at once.
  var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Has Ctrl-C stop what follows at a whole record.
  func listenForInterruption() {
    if takesSignals { Interruption.listen() }
  }

  /// Sees to it that a signal which reaches a command while it begins is not lost, if that is one which ends by signals with a
  /// status of its own; whether it is. To be called before anything else is done.
  package static func expectsSignals(_ arguments: some Collection<String>) -> Bool {
    guard arguments.first == Follow.configuration.commandName else { return false }
    StopSignals.handleFromNowOn()
    return true
  }

  /// Returns the signals that end a command which waits for input; `nil` if they are none of its business.
  func stopSignals() throws(UsageError) -> StopSignals? { takesSignals ? try StopSignals() : nil }
}
