internal import ChatSession
internal import Foundation
internal import MessageModel

/// A program of `PATH` that runs beside this one. It stays in this process group: it may ask for a passphrase
/// on the terminal, and Ctrl-C ends it, too. No shell parses its words. Its standard error is kept for error
/// messages.
struct Tool {
  private let words: [String]
  private let child: pid_t
  private let complaints: FileHandle

  /// The maximum number of bytes read from its error output. If its standard output is read, the program is
  /// killed when it prints more.
  private static let mostBytes = 1 << 20
  /// How often the size of its output is checked.
  private static let lookMicroseconds: UInt32 = 5_000
  /// A shell's exit status for an unknown command.
  private static let notFoundStatus: Int32 = 127

  struct Failure: Error {
    var complaint: String
    var status: Int32
    /// Whether a remote shell did not find the program.
    var isNotFound: Bool { status == Tool.notFoundStatus }
  }

  /// Without `input`, the program reads an empty stream; without `output`, its output is discarded. Throws
  /// ``UsageError`` if the program is not installed.
  init(
    _ words: [String], in shell: Shell, reading input: Int32? = nil, writing output: Int32? = nil
  ) throws(UsageError) {
    self.words = words
    guard let path = Self.path(of: words[0], in: shell.environment) else {
      throw UsageError(
        "cannot run '\(VisibleText.of(words[0]))'", cause: "it is not installed",
        remedy: .words("install the package that has \(VisibleText.of(words[0]))"), status: .noSuchFile)
    }
    complaints = try Self.temporaryFile()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (own, theirs, mode) in [(input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY)] {
      if let own {
        posix_spawn_file_actions_adddup2(&actions, own, theirs)
      } else {
        posix_spawn_file_actions_addopen(&actions, theirs, "/dev/null", mode, 0)
      }
    }
    posix_spawn_file_actions_adddup2(&actions, complaints.fileDescriptor, STDERR_FILENO)
    let arguments = words.map { strdup($0) } + [nil]
    let variables = shell.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var number: pid_t = 0
    let failure = posix_spawn(&number, path, &actions, nil, arguments, variables)
    guard failure == 0 else {
      throw UsageError("cannot run '\(VisibleText.of(path))'", cause: String(cString: strerror(failure)))
    }
    child = number
  }

  static func path(of name: String, in environment: [String: String]) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  func finish() throws {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    try check(status)
  }

  /// Waits for its end; kills it if it prints too much. Throws ``Failure`` if it exits with an error.
  private func finish(printingTo output: FileHandle) throws {
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      guard Self.size(of: output) > Self.mostBytes || Self.size(of: complaints) > Self.mostBytes else {
        usleep(Self.lookMicroseconds)
        continue
      }
      kill(child, SIGKILL)
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      throw Failure(
        complaint: "it printed more than \(Self.mostBytes) bytes, more than any valid output",
        status: 128 + SIGKILL)
    }
    try check(status)
  }

  private static func size(of file: FileHandle) -> Int {
    var facts = stat()
    return fstat(file.fileDescriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  private func check(_ status: Int32) throws {
    // As the macros of wait.h: the low seven bits are the signal.
    let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    guard code != 0 else { return }
    throw Failure(complaint: try Self.text(of: complaints, lastLines: 4), status: code)
  }

  static func answer(_ words: [String], in shell: Shell) throws -> Data {
    let output = try temporaryFile()
    try Tool(words, in: shell, writing: output.fileDescriptor).finish(printingTo: output)
    try output.seek(toOffset: 0)
    return try output.read(upToCount: mostBytes) ?? Data()
  }

  /// Runs two programs; the second reads the output of the first. Throws ``UsageError`` if one is not
  /// installed, ``Failure`` of the program that caused the failure.
  static func pipe(
    _ first: [String], into second: [String], in shell: Shell, writing output: Int32? = nil
  ) throws {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader: Tool
    do {
      defer { close(ends[0]) }
      reader = try Tool(second, in: shell, reading: ends[0], writing: output)
    } catch {
      close(ends[1])
      throw error
    }
    let writer = Result { try Tool(first, in: shell, writing: ends[1]) }
    close(ends[1])
    let outcomes = [Result { try writer.get().finish() }, Result { try reader.finish() }]
    for outcome in outcomes.sorted(by: { !Self.isBrokenPipe($0) && Self.isBrokenPipe($1) }) {
      try outcome.get()
    }
  }

  /// How programs report a closed pipe; GNU tar reports a partial write if a part of its last block was read.
  private static let brokenPipeSigns = ["Broken pipe", "Wrote only"]

  /// Whether a program failed because its reader ended: then the reader caused the failure.
  private static func isBrokenPipe(_ outcome: Result<Void, any Error>) -> Bool {
    guard case .failure(let error as Failure) = outcome else { return false }
    return error.status == 128 + SIGPIPE || brokenPipeSigns.contains { error.complaint.contains($0) }
  }

  private static func temporaryFile() throws(UsageError) -> FileHandle {
    var template = Array((NSTemporaryDirectory() + "scrollback-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot make a temporary file", cause: String(cString: strerror(errno)), status: .inputOutput)
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static func text(of file: FileHandle, lastLines count: Int) throws -> String {
    try file.seek(toOffset: 0)
    let text = String(decoding: try file.read(upToCount: mostBytes) ?? Data(), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).suffix(count)
    return lines.map { VisibleText.of(String($0)) }.joined(separator: "; ")
  }
}
