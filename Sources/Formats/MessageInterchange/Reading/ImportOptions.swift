public import Foundation
public import MessageModel

/// The options of an import. For an option that is `nil`, each file decides.
public struct ImportOptions: Sendable {
  /// The name of the format; `nil` to detect it by each file's content.
  public var format: String?
  /// Formats from outside, in addition to the built-in ones.
  public var formats: [any ImportFormat] = []
  /// The conversation for all messages; `nil` to name conversations as the files do.
  public var conversation: String?
  /// The zone of times written without one.
  public var timeZone: TimeZone
  /// The day of times written without a date, unless the log states it; `nil` to take it from the path.
  public var day: CivilTime?
  /// The order of numbers such as 05/06/24; `nil` to infer it from the whole file.
  public var dateOrder: DateOrder?
  /// The notation of times in tables and generic JSON, as `strftime` describes it (`%d.%m.%Y %Hh%M`). A time that
  /// does not match it, or every time if it is `nil`, is read in one of the known notations.
  public var timeFormat: String?
  /// The single-byte encoding of lines that are not UTF-8.
  public var fallbackEncoding: FallbackEncoding
  /// The name of the history's owner where the history only says "me".
  public var me: String?
  /// The columns or keys by role, for tables and generic JSON (`time` → `ts`).
  public var columns: [String: String]
  /// Whether each message keeps the record it was read from.
  public var keepsOriginal: Bool
  /// The latest time a message may have; later ones are skipped. `nil` for no limit.
  public var latest: Timestamp?
  /// The descriptor that the path `-` stands for.
  package var standardInput: Int32 = 0
  /// Whether to read settings from JSON Lines of a whole store.
  package var takesSettings = true
  /// The row of a database after which the new rows begin; `nil` to read all.
  package var rowsAfter: Int64?

  /// Creates options. The defaults detect everything, and read times without a zone in this computer's.
  public init(
    format: String? = nil, conversation: String? = nil, timeZone: TimeZone = .current, day: CivilTime? = nil,
    dateOrder: DateOrder? = nil, timeFormat: String? = nil,
    fallbackEncoding: FallbackEncoding = .windows1252, me: String? = nil, columns: [String: String] = [:],
    keepsOriginal: Bool = false, latest: Timestamp? = nil
  ) {
    self.format = format
    self.conversation = conversation
    self.timeZone = timeZone
    self.day = day
    self.dateOrder = dateOrder
    self.timeFormat = timeFormat
    self.fallbackEncoding = fallbackEncoding
    self.me = me
    self.columns = columns
    self.keepsOriginal = keepsOriginal
    self.latest = latest
  }

  /// An order of day, month and year.
  public enum DateOrder: String, Hashable, Sendable, CaseIterable {
    /// Day, month, year.
    case dmy
    /// Month, day, year.
    case mdy
    /// Year, month, day.
    case ymd

    func arranged(_ first: Int, _ second: Int, _ third: Int) -> (year: Int, month: Int, day: Int) {
      switch self {
      case .dmy: (third, second, first)
      case .mdy: (third, first, second)
      case .ymd: (first, second, third)
      }
    }
  }
}
