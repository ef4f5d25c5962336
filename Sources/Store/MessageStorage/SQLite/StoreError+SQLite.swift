internal import Foundation
internal import GRDB
internal import MessageModel

extension StoreError {
  init(_ error: any Error, doing summary: String) {
    if let told = error as? StoreError {
      self = told
      return
    }
    if error is StoreGate.IsClosed {
      self.init(.invalidRequest, summary, cause: "the store has been closed")
      return
    }
    if error is StoreGate.IsSuspended {
      self.init(
        .suspended, summary, cause: "the app has suspended the store",
        remedy: "call it again after resume()")
      return
    }
    if error is StoreGate.IsInTransaction {
      self.init(
        .invalidRequest, summary, cause: "it takes several transactions, but one is open on this thread",
        remedy: "call it outside of write")
      return
    }
    guard let fault = error as? DatabaseError else {
      self.init(.inputOutput, summary, cause: "\(error)")
      return
    }
    self.init(ofSQLite: fault, doing: summary)
    statement = fault.sql
  }

  private init(ofSQLite error: DatabaseError, doing summary: String) {
    let message = error.message ?? "\(error.resultCode)"
    if let fault = DatabaseFault(resultCode: error.extendedResultCode.rawValue) {
      self.init(fault, message, doing: summary)
      return
    }
    switch error.resultCode {
    case .SQLITE_MISMATCH where Self.isOfNumbers(message),
      .SQLITE_CONSTRAINT where Self.isOfNumbers(message),
      .SQLITE_ERROR where Self.isOfNumbers(message):
      // A number in the file is too large to be added to.
      self.init(
        .damaged, summary, cause: "an unexpected number in it: \(message)",
        remedy: .repairStore)
    case .SQLITE_NOTADB:
      self.init(
        .notAStore, summary, cause: "file is not a database",
        remedy: .importOrSalvage)
    case .SQLITE_MISUSE where message.contains("closed"):
      self.init(.invalidRequest, summary, cause: "the store has been closed")
    case .SQLITE_INTERRUPT, .SQLITE_ABORT:
      self.init(.cancelled, summary, cause: message)
    case .SQLITE_TOOBIG:
      // A value or a search beyond the limits of a single step.
      self.init(.invalidRequest, summary, cause: message)
    default:
      self.init(.inputOutput, summary, cause: message)
    }
  }

  private init(_ fault: DatabaseFault, _ message: String, doing summary: String) {
    let reason = fault.sentence(message)
    switch fault {
    case .notPermitted: self.init(.notPermitted, summary, cause: reason)
    case .busy: self.init(.busy, summary, cause: reason, remedy: "again")
    case .readOnly: self.init(.readOnly, summary, cause: reason)
    case .full: self.init(.inputOutput, summary, cause: reason, remedy: "free some space, then run it again")
    case .inputOutput where FileLimit.isSet:
      self.init(.inputOutput, summary, cause: "\(reason): a file may not become so large here (ulimit -f)")
    case .inputOutput: self.init(.inputOutput, summary, cause: reason)
    case .damaged: self.init(.damaged, summary, cause: reason, remedy: .repairStore)
    }
  }

  private static func isOfNumbers(_ message: String) -> Bool {
    message.hasPrefix("cannot store ") || message == "integer overflow" || message == "datatype mismatch"
  }
}

extension DatabaseError {
  var isOfFullDisk: Bool { DatabaseFault(resultCode: extendedResultCode.rawValue) == .full }
}

/// The limit of file sizes in this process (`ulimit -f`).
enum FileLimit {
  static var isSet: Bool {
    var limit = rlimit()
    #if canImport(Glibc)
      return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        && limit.rlim_cur != rlim_t.max
    #else
      return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
    #endif
  }
}
