internal import Foundation

/// The memory that this process holds.
package struct ProcessMemory: Hashable, Sendable {
  /// The bytes in physical memory now; 0 where the system does not tell.
  package var residentByteCount: Int
  /// The most bytes that ever were in physical memory.
  package var peakByteCount: Int

  /// The memory of a process that does not say it.
  package static let unknown = ProcessMemory(residentByteCount: 0, peakByteCount: 0)

  /// Returns the memory of this process, as the operating system tells it.
  package static func now() -> ProcessMemory {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let peak = Int(usage.ru_maxrss) * 1_024
      let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      let resident = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
      return ProcessMemory(residentByteCount: resident, peakByteCount: max(peak, resident))
    #else
      getrusage(RUSAGE_SELF, &usage)
      return ProcessMemory(residentByteCount: Int(usage.ru_maxrss), peakByteCount: Int(usage.ru_maxrss))
    #endif
  }
}
