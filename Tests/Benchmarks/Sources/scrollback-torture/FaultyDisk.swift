import Foundation
import TestSupport

/// The library that stands between a program and the disk, and what it is told to do.
struct FaultyDisk: Sendable {
  /// Where it was built.
  let path: String

  /// Builds it with the C compiler that comes with Swift.
  ///
  /// - Throws: ``Failure`` where there is no compiler, or no such libraries.
  init(in folder: String) throws {
    path = "\(folder)/faultydisk.so"
    let source = GoldenFile.root.appending(
      path: "Tests/Benchmarks/Sources/scrollback-torture/FaultyDisk/faultydisk.c"
    ).path
    for compiler in ["clang", "cc", "gcc"] {
      let arguments = ["env", compiler, "-shared", "-fPIC", "-O2", "-o", path, source, "-ldl", "-lpthread"]
      let run = try ProgramRun.run(
        "/usr/bin/env", arguments, environment: ProcessInfo.processInfo.environment)
      if run.status == 0 { return }
    }
    throw Failure(description: "cannot build \(source): no C compiler can")
  }

  /// An error that says why nothing can be tried.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// What becomes of a call.
  enum Fault: String, CaseIterable, Sendable {
    /// It fails.
    case eio, enospc
    /// Half of it is done, and it says so; what comes next fails.
    case short
    /// Half of it is done, or nothing, and it says that all was.
    case tear, forget
    case delay
    /// The process is killed there.
    case before, torn, after

    /// Whether the disk lies: it says that something was done that was not.
    var isLie: Bool { self == .tear || self == .forget }
    var isKill: Bool { self == .before || self == .torn || self == .after }
  }

  /// The calls that a fault is for.
  enum Calls: String, CaseIterable, Sendable {
    case all = "wtscruld"
    case writes = "wt"
    case syncs = "s"
    /// What makes, moves and removes names.
    case names = "cruld"
    /// What needs room on the disk.
    case growth = "wcld"
  }

  /// A fault, and where it comes.
  struct Plan: Sendable {
    var fault: Fault
    var calls = Calls.all
    /// The number of the call, from 1.
    var number: Int
    /// For how many calls; 0 for all that follow.
    var length = 1
  }

  /// Returns the environment of a program whose files below a folder lie on this disk.
  func environment(for folder: String, plan: Plan? = nil, trace: String? = nil) -> [String: String] {
    var environment = ["LD_PRELOAD": path, "FAULTY_DISK_ROOT": folder]
    if let trace { environment["FAULTY_DISK_TRACE"] = trace }
    guard let plan else { return environment }
    environment["FAULTY_DISK_DO"] = plan.fault.rawValue
    environment["FAULTY_DISK_KINDS"] = plan.calls.rawValue
    environment["FAULTY_DISK_AT"] = "\(plan.number)"
    environment["FAULTY_DISK_FOR"] = "\(plan.length)"
    return environment
  }
}
