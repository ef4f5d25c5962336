import CBaseline
import Foundation

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
  struct Failure: Error, CustomStringConvertible {
    var description: String
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
    let errors = open("/dev/null", O_WRONLY)
    defer { for descriptor in [reading, writing, errors] { close(descriptor) } }
    let strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    var peak: Int64 = 0
    let status = (strings.map { $0.map { UnsafePointer($0) } } + [nil]).withUnsafeBufferPointer {
      cprocess_run($0.baseAddress, reading, writing, errors, &peak)
    }
    guard status == 0 || (mayFindNothing && status == 1 << 8) else {
      throw Failure(description: "'\(arguments.joined(separator: " "))' ended with status \(status)")
    }
    return Int(peak)
  }

  /// Runs the program and takes down how long it took, and its memory.
  func run(into measurement: inout Measurement, mayFindNothing: Bool = false) throws {
    let peak = try measurement.time { try run(mayFindNothing: mayFindNothing) }
    measurement.peakBytes = max(measurement.peakBytes, peak)
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
