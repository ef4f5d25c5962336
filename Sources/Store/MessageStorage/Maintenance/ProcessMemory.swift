internal import Foundation

package struct ProcessMemory: Hashable, Sendable {
  /// Bytes in physical memory; 0 if unknown.
  package var residentByteCount: Int
  /// The peak of bytes in physical memory.
  package var peakByteCount: Int

  package static let unknown = ProcessMemory(residentByteCount: 0, peakByteCount: 0)

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
