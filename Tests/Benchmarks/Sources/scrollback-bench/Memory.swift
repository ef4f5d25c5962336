import Foundation

/// The memory that processes hold.
enum Memory {
  /// The most bytes that it ever held, where the system tells (Linux); else 0.
  static var peak: Int { peak(of: "self") }

  /// The same of another process.
  static func peak(of process: Int32) -> Int { peak(of: "\(process)") }

  private static func peak(of process: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
    return (kibibytes ?? 0) << 10
  }
}
