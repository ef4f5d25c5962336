internal import ArgumentParser
internal import CMalloc
internal import Foundation
internal import HistoryPublishing
internal import HistoryQueries
internal import HistoryServer
internal import HistoryTransfer
internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import Redaction
internal import ShellCommands

/// The process that `scrollback serve` becomes. In a new process, signals can be blocked before any thread
/// starts, and memory holds nothing but the server.
struct ServeProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: OtherProgram.serverWord,
    abstract: "Show a store in the browser: the process that 'scrollback serve' becomes.")

  @Option(help: "The store file.")
  var store: String

  @Option(help: "The port to listen at; 0 for one that is free.")
  var port: UInt16 = 0

  @Option(help: "A file that keeps the key of the address.")
  var keyFile: String?

  @Option(help: "A name of the user whose history it is.")
  var me: String?

  @Option(help: "A file of rules for what is not shown, or the word secrets.")
  var redact: String?

  @Option(help: "What the page may write.")
  var write: [PagePermission] = []

  @Flag(help: "Open the page in the browser.")
  var open = false

  func run() throws {
    cmalloc_configure()
    // A closed connection is an error of that connection alone.
    signal(SIGPIPE, SIG_IGN)
    // Blocks the signals before other threads start, since those would receive them.
    let signals = EndSignals()
    do throws(StoreError) {
      let key = try keyFile.map { path throws(StoreError) in try AccessKey(file: path) } ?? AccessKey()
      let server = try HistoryServer(
        port: Int(port), me: me, maker: PictureSupport.maker, key: key, redactor: try redactor(),
        permissions: Set(write),
        finder: { try? AnswerEncoder.bytes(of: FoundAnswer(FoundHistories())) }, path: store)
      if !write.isEmpty { Self.write(Self.note(Set(write)), to: .standardError) }
      Self.write(server.url, to: .standardOutput)
      let link = open ? BrowserLink(to: server.url) : nil
      let number = signals.wait()
      link?.remove()
      server.stop()
      signals.end(by: number)
    } catch {
      Self.write("scrollback: \(error.description(in: \.served))", to: .standardError)
      throw ExitCode(Self.status(of: error.kind))
    }
  }

  private static func note(_ permissions: Set<PagePermission>) -> String {
    let parts = PagePermission.allCases.filter(permissions.contains).map { permission in
      switch permission {
      case .read: "marks messages as read (--mark-read)"
      case .stars: "gives stars and takes them away (--write stars)"
      }
    }
    return "scrollback: the page \(parts.joined(separator: " and ")); nothing else is written"
  }

  private func redactor() throws(StoreError) -> Redactor? {
    guard let redact else { return nil }
    do {
      let rules: RedactionRules =
        redact == "secrets" ? .secrets : try RedactionRules(String(contentsOfFile: redact, encoding: .utf8))
      let opened = try SynchronousMessageStore.opened(at: store, options: .readOnly)
      defer { opened.close() }
      return try HistoryRedaction.redactor(rules, of: opened)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.invalidRequest, "cannot read the rules in '\(redact)'", cause: "\(error)")
    }
  }

  /// The exit status, as in sysexits.h. Errors with other statuses were reported by the command before.
  private static func status(of kind: StoreError.Kind) -> Int32 {
    switch kind {
    case .cannotCreate: 73
    case .notPermitted: 77
    case .invalidRequest: 65
    case .noSuchStore, .noSuchFile, .notAStore, .damaged, .readOnly, .busy, .suspended, .displaced,
      .inputOutput,
      .noSpace, .notFound, .alreadyExists, .cancelled:
      74
    }
  }

  /// Ignores errors, such as a closed pipe.
  static func write(_ line: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data("\(line)\n".utf8))
  }
}

/// Ctrl-C, SIGTERM and SIGHUP. Signals ignored by the parent process, as by `nohup`, stay ignored.
struct EndSignals {
  private var set = sigset_t()

  /// Blocks the signals for ``wait()``, on this thread and those it starts.
  init() {
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let before = signal(number, SIG_DFL)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  func wait() -> Int32 {
    var (set, number) = (set, Int32(0))
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ends the process by the signal, so that its parent learns of it.
  func end(by number: Int32) {
    var set = set
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }
}

/// A file that redirects a browser to the page. The address contains the key, and all users can see the
/// arguments of a process: so the browser gets the name of a file that only its owner can read.
struct BrowserLink {
  private let folder: String

  #if os(macOS)
    private static let opener = "/usr/bin/open"
  #else
    private static let opener = "/usr/bin/xdg-open"
  #endif

  /// Opens the file in the desktop's browser. Prints a note if that fails: the address was already printed.
  init?(to url: String) {
    guard let made = FileManager.default.makeTemporaryFolder(named: "scrollback") else { return nil }
    folder = made
    let file = folder + "/open.html"
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(url)"><title>Scrollback</title>
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.opener)
    process.arguments = [file]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.standardError
    do {
      try page.write(toFile: file, atomically: false, encoding: .utf8)
      try process.run()
    } catch {
      ServeProgram.write(
        "scrollback: cannot open a browser (\(Self.opener)); the address is above", to: .standardError)
      remove()
      return nil
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

extension PagePermission: ExpressibleByArgument {}
