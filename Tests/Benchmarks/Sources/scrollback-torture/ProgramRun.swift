import Foundation
import Synchronization

/// A program that was run to its end, or killed after a while.
struct ProgramRun {
  /// Its exit status; nil if a signal ended it.
  var status: Int32?
  /// The signal that ended it; 0 if none did.
  var signal: Int32 = 0
  /// Whether it was killed since it did not end.
  var isHung = false
  /// What it was at then: the letter of the system for its state, and how long it has computed.
  var state = ""
  var output: [UInt8] = []
  var errors = ""

  /// How long a program may take that is to end by itself.
  static let limit = 90.0

  /// Runs a program and reads all that it writes.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments, its name as the first.
  ///   - killedAfter: After how many microseconds it is killed.
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String], input: String = "",
    killedAfter: Int? = nil
  ) throws -> ProgramRun {
    let child = try RunningProgram(path, arguments, environment: environment, input: input)
    return child.finish(within: killedAfter.map { Double($0) / 1e6 } ?? limit, isKilled: killedAfter != nil)
  }

  /// A word for how it ended.
  var ending: String {
    if isHung { return "did not end (\(state))" }
    return status.map { "exit \($0)" } ?? "signal \(signal)"
  }
}

/// A program that runs, with its output in pipes and its input in a file that has no name.
final class RunningProgram {
  let process: pid_t
  private var pipes: [Int32]
  private var bytes: [[UInt8]] = [[], []]
  private var status: Int32?

  /// Held while a program is started: no other one is to inherit its pipes.
  private static let starting = Mutex(())

  convenience init(
    _ path: String, _ arguments: [String], environment: [String: String], input: String = ""
  ) throws {
    let (process, pipes) = try Self.starting.withLock { _ in
      try Self.spawn(path, arguments, environment, input)
    }
    self.init(process, pipes)
  }

  private init(_ process: pid_t, _ pipes: [Int32]) { (self.process, self.pipes) = (process, pipes) }

  private static func pipe() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else {
      throw FaultyDisk.Failure(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String], _ input: String
  ) throws -> (process: pid_t, pipes: [Int32]) {
    let (output, errors) = (try pipe(), try pipe())
    let reading = try file(holding: input)
    defer { for descriptor in [output[1], errors[1], reading] { close(descriptor) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, place) in [(reading, 0), (output[1], 1), (errors[1], 2)] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
    }
    let argv = cStrings(arguments)
    let envp = cStrings(environment.map { "\($0.key)=\($0.value)" })
    defer { for string in argv + envp { free(string) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, &actions, nil, argv, envp)
    guard failure == 0 else {
      for end in [output[0], errors[0]] { close(end) }
      throw FaultyDisk.Failure(description: "cannot run \(path): \(String(cString: strerror(failure)))")
    }
    return (child, [output[0], errors[0]])
  }

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }

  /// Opens what is to be read from its beginning.
  private static func file(holding text: String) throws -> Int32 {
    if text.isEmpty { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
    var name = Array("\(NSTemporaryDirectory())/scrollback-torture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw FaultyDisk.Failure(description: "no temporary file: \(String(cString: strerror(errno)))")
    }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Waits until the program has set its handler of a signal: before, while it is being loaded, any signal ends it.
  func waitUntilItHandles(_ signal: Int32, atMost seconds: Double) {
    let end = Date().addingTimeInterval(seconds)
    while !handles(signal), end.timeIntervalSinceNow > 0 { usleep(1_000) }
  }

  private func handles(_ signal: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
      let caught = UInt64(line.dropFirst("SigCgt:".count).filter(\.isHexDigit), radix: 16)
    else { return true }
    return caught & 1 << UInt64(signal - 1) != 0
  }

  /// Reads until the program ends; kills it after some seconds.
  ///
  /// - Parameter isKilled: Whether that is meant, and no fault of the program.
  func finish(within seconds: Double, isKilled: Bool = false) -> ProgramRun {
    let end = Date().addingTimeInterval(seconds)
    var (isOver, state) = (false, "")
    while pipes.contains(where: { $0 >= 0 }) {
      let left = isOver ? 10 : end.timeIntervalSinceNow
      if left <= 0 {
        state = stateOfProcess
        kill(process, SIGKILL)
        isOver = true
        continue
      }
      if !readSome(within: left), isOver { break }
    }
    for descriptor in pipes where descriptor >= 0 { close(descriptor) }
    pipes = []
    var value: Int32 = 0
    while waitpid(process, &value, 0) < 0, errno == EINTR {}
    let signal = value & 0x7F
    return ProgramRun(
      status: signal == 0 ? (value >> 8) & 0xFF : nil, signal: signal, isHung: isOver && !isKilled,
      state: state,
      output: bytes[0], errors: String(decoding: bytes[1], as: UTF8.self))
  }

  /// What the process is doing, by the system's table of processes.
  private var stateOfProcess: String {
    guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return "" }
    let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 13, let user = Int(fields[11]), let system = Int(fields[12]) else { return "" }
    return "state \(fields[0]), \((user + system) / 100) s of a processor"
  }

  /// Reads what is there from both pipes, waiting for it; whether there was something.
  private func readSome(within seconds: Double) -> Bool {
    var polled = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), Int32(max(1, min(seconds, 60) * 1_000))) > 0 else {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for (place, entry) in polled.enumerated() where entry.fd >= 0 && entry.revents != 0 {
      let count = read(entry.fd, &buffer, buffer.count)
      if count > 0 {
        bytes[place] += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        close(entry.fd)
        pipes[place] = -1
      }
    }
    return true
  }
}
