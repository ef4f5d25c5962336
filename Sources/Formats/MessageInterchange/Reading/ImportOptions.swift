public import Foundation
public import MessageModel

/// The options of an import; what they leave open is read from the histories.
public struct ImportOptions: Sendable {
  /// The name of the format; `nil` to tell it by the content of each file.
  public var format: String?
  /// Formats from outside, beside those that are built in.
  public var formats: [any ImportFormat] = []
  /// The conversation to put everything into; `nil` to name conversations after what the files say.
  public var conversation: String?
  /// The zone of times that are written without one.
  public var timeZone: TimeZone
  /// The day of times that are written without a date, unless the log itself tells it; `nil` to take it from the path.
  public var day: CivilTime?
  /// The order of numbers like 05/06/24; `nil` to conclude it from the whole file.
  public var dateOrder: DateOrder?
  /// The 8-bit encoding of lines that are not UTF-8.
  public var fallbackEncoding: FallbackEncoding
  /// The name that the owner of the history gets where the history says only that it was "me".
  public var me: String?
  /// The columns or keys by their roles, for tables and generic JSON (`time` → `ts`).
  public var columns: [String: String]
  /// Whether each message keeps the record it was read from.
  public var keepsOriginal: Bool
  /// The latest moment at which a message may have been written; what claims to be later is passed over. `nil` takes
  /// all.
  public var latest: Timestamp?
  /// The descriptor that a path `-` stands for.
  package var standardInput: Int32 = 0
  /// Whether what JSON Lines of a whole store say besides messages is taken in.
  package var takesSettings = true
  /// The row of a database behind which its news lie; `nil` to read all of it.
  package var rowsAfter: Int64?

  /// Creates options that leave everything open, with times in the zone of this computer.
  public init(
    format: String? = nil, conversation: String? = nil, timeZone: TimeZone = .current, day: CivilTime? = nil,
    dateOrder: DateOrder? = nil, fallbackEncoding: FallbackEncoding = .windows1252, me: String? = nil,
    columns: [String: String] = [:], keepsOriginal: Bool = false, latest: Timestamp? = nil
  ) {
    self.format = format
    self.conversation = conversation
    self.timeZone = timeZone
    self.day = day
    self.dateOrder = dateOrder
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

    /// Returns what three numbers in this order are.
    func arranged(_ first: Int, _ second: Int, _ third: Int) -> (year: Int, month: Int, day: Int) {
      switch self {
      case .dmy: (third, second, first)
      case .mdy: (third, first, second)
      case .ymd: (first, second, third)
      }
    }
  }
}
