import CBaseline
import Foundation
import MessageModel

/// A program that is run to its end, with what it prints thrown away or kept in a file.
struct Program {
  private let arguments: [String]
  /// The file that its standard output goes to; `/dev/null` looks so cheap to some programs that they stop working.
  var output = "/dev/null"
  /// The bytes that it reads.
  var input = "/dev/null"

  init(_ path: String, _ arguments: String...) { self.init(path, arguments: arguments) }

  init(_ path: String, arguments: [String]) { self.arguments = [path] + arguments }

  /// What a program that was to be measured did instead.
  struct Failure: ExplainedError {
    var summary: String
    var cause: String?
    var remedy: Remedy?
    /// Whether a signal ended it, as one does that asks for more memory than it may have.
    var isBySignal = false

    init(_ summary: String, cause: String? = nil) { (self.summary, self.cause) = (summary, cause) }
  }

  /// The place of this program.
  static var own: String {
    get throws {
      guard let path = Bundle.main.executablePath else {
        throw Failure("this program does not know where it lies")
      }
      return path
    }
  }

  /// Returns where a program is that people may have installed; `nil` if it is not there.
  static func installed(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs the program.
  ///
  /// - Returns: The most bytes of memory that it held.
  @discardableResult
  func run(mayFindNothing: Bool = false) throws -> Int {
    let (reading, writing) = (open(input, O_RDONLY), open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
    guard let complaints = tmpfile() else { throw Failure("cannot keep what a program complains of") }
    defer {
      for descriptor in [reading, writing] { close(descriptor) }
      fclose(complaints)
    }
    let strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    var peak: Int64 = 0
    let status = (strings.map { $0.map { UnsafePointer($0) } } + [nil]).withUnsafeBufferPointer {
      cprocess_run($0.baseAddress, reading, writing, fileno(complaints), &peak)
    }
    guard status == 0 || (mayFindNothing && status == 1 << 8) else {
      throw failure(status, Self.end(of: complaints))
    }
    return Int(peak)
  }

  /// - Parameter status: As wait(2) has it.
  private func failure(_ status: Int32, _ complaint: String) -> Failure {
    let signal = status & 0x7F
    let ending =
      status < 0
      ? "could not be run"
      : signal != 0 ? "was ended by signal \(signal)" : "ended with status \(status >> 8)"
    var failure = Failure(
      "'\(arguments.joined(separator: " "))' \(ending)", cause: complaint.isEmpty ? nil : complaint)
    failure.isBySignal = status >= 0 && signal != 0
    return failure
  }

  /// The last lines of what a program complained of.
  private static func end(of complaints: UnsafeMutablePointer<FILE>) -> String {
    var buffer = [UInt8](repeating: 0, count: 2_000)
    let size = lseek(fileno(complaints), 0, SEEK_END)
    let count = pread(fileno(complaints), &buffer, buffer.count, max(size - off_t(buffer.count), 0))
    let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs the program and takes down how long it took, and its memory.
  func run(into measurement: inout Measurement, mayFindNothing: Bool = false) throws {
    let peak = try measurement.time { try run(mayFindNothing: mayFindNothing) }
    measurement.peakBytes = max(measurement.peakBytes, peak)
  }

  /// Runs a program a number of times.
  static func measure(_ name: String, _ program: Program, times: Int) throws -> Finding {
    var measurement = Measurement()
    for _ in 0..<times { try program.run(into: &measurement) }
    return Finding(name: name, ours: measurement)
  }

  /// Runs two programs turn by turn; the second is the baseline, which may have fewer turns.
  static func compare(
    _ name: String, _ ours: Program, with other: Program?, named baseline: String, times: Int,
    baselineTimes: Int? = nil
  ) throws -> Finding {
    var (own, their) = (Measurement(), Measurement())
    for turn in 0..<times {
      if turn < baselineTimes ?? times { try other?.run(into: &their, mayFindNothing: true) }
      try ours.run(into: &own)
    }
    if other == nil { print(toStandardError: "\(name): \(baseline) is not installed") }
    return Finding(name: name, ours: own, baseline: other == nil ? nil : (baseline, their))
  }
}

/// Prints a line of what is no result.
func print(toStandardError line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
