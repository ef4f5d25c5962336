internal import ChatSession
internal import Foundation
internal import Synchronization

/// A pager between a command and the terminal: `$PAGER`, else `less -RFX`.
///
/// It starts with the first data. When the user quits it, this process ends without an error. Ctrl-C belongs
/// to the pager; long work notices it too, and stops when its current piece is complete.
package final class Pager: ByteSink {
  private let command: String
  private let environment: [String: String]
  private let terminal: DescriptorSink
  private let state = Mutex(State.idle)

  private enum State {
    /// Nothing was written yet.
    case idle
    case running(writer: Int32, child: pid_t)
    case ended
  }

  /// The pager for a terminal; `nil` if the sink is no terminal or the pager would be `cat`.
  package init?(over descriptor: Int32, environment: [String: String]) {
    terminal = DescriptorSink(descriptor)
    let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
    guard terminal.isTerminal, !isDumb, let command = Self.command(environment) else { return nil }
    self.command = command
    // As git does: with these defaults `less` keeps colours, and leaves short output on the screen.
    self.environment = environment.merging(["LESS": "RFX"]) { own, _ in own }
  }

  private static func command(_ environment: [String: String]) -> String? {
    if let named = environment["PAGER"] { return named.isEmpty || named == "cat" ? nil : named }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less -RFX" : nil
  }

  package var isTerminal: Bool { true }
  package var size: (rows: Int, columns: Int)? { terminal.size }

  package func send(_ bytes: [UInt8]) -> Int32? {
    guard !bytes.isEmpty else { return nil }
    guard let writer = writer() else { return terminal.send(bytes) }
    let failure = DescriptorSink(writer).send(bytes)
    if failure == EPIPE { leave() }
    return failure
  }

  /// Waits until the user quits the pager. No data may follow.
  package func finish() {
    let running = state.withLock { state -> (writer: Int32, child: pid_t)? in
      defer { state = .ended }
      if case .running(let writer, let child) = state { return (writer, child) }
      return nil
    }
    guard let running else { return }
    close(running.writer)
    Self.wait(for: running.child)
  }

  /// Ends the process once the pager has restored the terminal.
  private func leave() -> Never {
    let child = state.withLock { state -> pid_t? in
      if case .running(_, let child) = state { return child }
      return nil
    }
    if let child { Self.wait(for: child) }
    exit(ExitStatus.done.rawValue)
  }

  private func writer() -> Int32? {
    state.withLock { state in
      switch state {
      case .running(let writer, _): return writer
      case .ended: return nil
      case .idle:
        guard let started = start() else {
          state = .ended
          return nil
        }
        state = .running(writer: started.writer, child: started.child)
        return started.writer
      }
    }
  }

  private func start() -> (writer: Int32, child: pid_t)? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let child = Self.spawn(command, reading: ends[0], environment) else {
      for end in ends { close(end) }
      return nil
    }
    close(ends[0])
    // Ctrl-C reaches the pager too, which may go on; this process must not end before the pager does.
    Interruption.listenWhilePaging()
    signal(SIGPIPE, SIG_IGN)
    return (ends[1], child)
  }

  private static func spawn(_ command: String, reading end: Int32, _ environment: [String: String]) -> pid_t?
  {
    let arguments = Self.texts(["sh", "-c", command])
    let variables = Self.texts(environment.map { "\($0.key)=\($0.value)" })
    defer { for text in arguments + variables { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
    var child: pid_t = 0
    return posix_spawn(&child, "/bin/sh", &actions, nil, arguments, variables) == 0 ? child : nil
  }

  private static func texts(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  private static func wait(for child: pid_t) {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }
}
