import CYardstick
import Foundation
import MessageModel

/// The times of a program that ran to its end several times.
struct Runs {
  private(set) var seconds: [Double] = []
  private(set) var cpuSeconds: [Double] = []
  private(set) var peakBytes = 0

  /// Runs a program, which must succeed.
  mutating func run(_ arguments: [String], output: String = "/dev/null") throws {
    let pointers = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    let list: [UnsafePointer<CChar>?] = pointers.map { UnsafePointer($0) } + [nil]
    let usage = cyardstick_run(list, output)
    guard usage.exit_code == 0 else {
      throw StoreError(
        .inputOutput, "cannot measure '\(arguments.joined(separator: " "))'", cause: "code \(usage.exit_code)"
      )
    }
    add(
      seconds: Double(usage.wall_nanoseconds) / 1e9, cpuSeconds: Double(usage.cpu_nanoseconds) / 1e9,
      peakBytes: Int(usage.peak_bytes))
  }

  mutating func add(seconds: Double, cpuSeconds: Double = 0, peakBytes: Int = 0) {
    self.seconds.append(seconds)
    self.cpuSeconds.append(cpuSeconds)
    self.peakBytes = max(self.peakBytes, peakBytes)
  }

  var median: Double { Self.median(seconds) }
  var cpuMedian: Double { Self.median(cpuSeconds) }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

/// A line of the table of imports and exports.
struct TransferFinding {
  var name: String
  var messageCount: Int
  var ours: Runs
  /// What it is held against, and its name.
  var yardstick: (name: String, runs: Runs)?

  private static let titles = [
    "scenario", "s (least–most)", "messages/s", "CPU s", "peak MB", "yardstick", "s (least–most)", "ratio",
    "ratio of CPU",
  ]

  private var cells: [String] {
    var cells = [
      name, Self.spread(ours), "\(Int(Double(messageCount) / ours.median / 1_000))k",
      Self.rounded(ours.cpuMedian), Self.rounded(Double(ours.peakBytes) / 1e6),
    ]
    if let (name, runs) = yardstick {
      cells += [
        name, Self.spread(runs), Self.rounded(ours.median / runs.median) + "×",
        runs.cpuMedian > 0 ? Self.rounded(ours.cpuMedian / runs.cpuMedian) + "×" : "",
      ]
    }
    return cells
  }

  private static func spread(_ runs: Runs) -> String {
    let (least, most) = (runs.seconds.min() ?? 0, runs.seconds.max() ?? 0)
    return "\(rounded(runs.median)) (\(rounded(least))–\(rounded(most)))"
  }

  private static func rounded(_ value: Double) -> String {
    "\((value * 100).rounded() / 100)"
  }

  /// Lays findings out as a Markdown table.
  static func table(_ findings: [TransferFinding]) -> String {
    let rows = [titles, titles.map { _ in "---" }] + findings.map(\.cells)
    return rows.map {
      "| " + ($0 + Array(repeating: "", count: titles.count - $0.count)).joined(separator: " | ") + " |"
    }
    .joined(separator: "\n")
  }
}
