internal import Foundation

/// A program that runs in a terminal of its own, driven by keys and read by eye.
///
/// Waiting is for what the screen shows, never for time: what hangs is ended with the whole run, and says once a minute what it waits
/// for.
package final class PseudoTerminal {
  /// The program's screen, as far as it was read.
  package private(set) var screen: TerminalModel
  /// All bytes that the program wrote, as far as they were read.
  package private(set) var output: [UInt8] = []

  /// An object that is kept as long as the program runs: its files, as a rule.
  package var belongings: AnyObject?

  private let master: Int32
  /// The process of the program.
  package let process: Int32
  private var status: Int32?

  /// An error that says why a program could not be run or did not do what was waited for.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Runs a program.
  ///
  /// - Parameter environment: All of its environment, but for `PATH` and, unless given, `TERM=xterm-256color` and
  ///   `LANG=C.UTF-8`.
  package init(
    running path: String, _ arguments: [String] = [], environment: [String: String] = [:], rows: Int = 24,
    columns: Int = 80
  ) throws(Failure) {
    screen = TerminalModel(rows: rows, columns: columns)
    var variables = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    variables.merge(environment) { $1 }
    // All memory is made before the fork: the child may only call exec.
    let argv = Self.cStrings([path] + arguments)
    let envp = Self.cStrings(variables.map { "\($0.key)=\($0.value)" })
    defer { for string in argv + envp { free(string) } }
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    var descriptor: Int32 = -1
    let child = argv.withUnsafeBufferPointer { argv in
      envp.withUnsafeBufferPointer { envp in
        let child = forkpty(&descriptor, nil, nil, &size)
        if child == 0 {
          if let program = argv[0], let argv = argv.baseAddress, let envp = envp.baseAddress {
            execve(program, argv, envp)
          }
          _exit(127)
        }
        return child
      }
    }
    guard child > 0 else {
      throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    master = descriptor
    process = child
  }

  deinit {
    close(master)
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }

  // MARK: Acting

  /// Types keys: text as it is, control characters and escape sequences as the keys send them.
  package func type(_ keys: String) throws(Failure) {
    var bytes = Array(keys.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Failure(description: "the program reads no keys any more") }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Gives the terminal another size, of which the program is told.
  package func resize(rows: Int, columns: Int) {
    // What was written before the resize is drawn before it.
    while readSome(within: 0) {}
    screen.resize(rows: rows, columns: columns)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Sends the program a signal.
  package func signal(_ number: Int32) { kill(process, number) }

  /// Takes the terminal away, as closing its window does.
  package func hangUp() {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, master)
    close(nothing)
  }

  // MARK: Waiting

  /// Reads until the screen fulfils `condition`, looking only at whole ones.
  ///
  /// - Parameter seconds: How long to wait, for what is measured.
  /// - Throws: ``Failure`` with a picture of the screen, if the program ends before, or it does not within `seconds`.
  package func wait(
    for what: String, seconds: Double = .infinity, until condition: (TerminalModel) -> Bool
  ) throws(Failure) {
    let deadline = Date().addingTimeInterval(seconds)
    while screen.isUpdating || !condition(screen) {
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { throw Failure(description: "waited in vain for \(what):\n\(screen.picture)") }
      if readSome(within: left) { continue }
      if hasEnded { throw Failure(description: "ended before \(what):\n\(screen.picture)") }
      note("waiting for \(what)")
    }
  }

  /// Says what is waited for, for whoever looks why a run goes on.
  private func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text):\n\(screen.picture)\n".utf8))
  }

  /// Reads until a row of the screen contains `text`.
  package func wait(for text: String) throws(Failure) {
    try wait(for: "'\(text)'") { $0.contains(text) }
  }

  /// Reads until the program ends and returns its exit status, or 128 + the signal that ended it.
  package func waitForExit() -> Int32 {
    while !hasEnded { _ = readSome(within: 0.05) }
    while readSome(within: 0) {}
    let status = status ?? 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Reads until the program has stopped, as Ctrl-Z has it do; SIGCONT lets it go on.
  package func waitForStop() {
    var value: Int32 = 0
    while waitpid(process, &value, WNOHANG | WUNTRACED) != process || value & 0xFF != 0x7F {
      _ = readSome(within: 0.05)
    }
    while readSome(within: 0) {}
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var value: Int32 = 0
    if waitpid(process, &value, WNOHANG) == process { status = value }
    return status != nil
  }

  /// Reads what is there, waiting for it at most `seconds`; whether there was something.
  private func readSome(within seconds: Double) -> Bool {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(min(seconds, 60) * 1_000)) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += buffer[..<count]
    screen.feed(buffer[..<count])
    answer(buffer[..<count])
    return true
  }

  /// Says what it is when it is asked (DA1), as every terminal does.
  private func answer(_ bytes: ArraySlice<UInt8>) {
    let question = Array("\u{1B}[c".utf8)
    guard bytes.firstRange(of: question) != nil else { return }
    try? type("\u{1B}[?62;22c")
  }
}
