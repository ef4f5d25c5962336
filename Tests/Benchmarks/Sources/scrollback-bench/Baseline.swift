import CBaseline
import MessageModel

/// The limit in C that Scrollback is held against.
enum Baseline {
  /// Returns an error with what SQLite said of the last call that failed.
  static func failure(_ summary: String) -> StoreError {
    StoreError(.inputOutput, "\(summary) in C", cause: String(cString: cbaseline_cause()))
  }
}
