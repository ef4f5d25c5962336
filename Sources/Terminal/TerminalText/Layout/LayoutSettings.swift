package import Foundation

/// The settings that the rows of a message depend on, besides the message.
package struct LayoutSettings: Hashable, Sendable {
  /// The columns of the screen, at least 10.
  package var columns: Int
  /// In which zone times are shown.
  package var zone: TimeZone
  /// The most rows of text that a message is given before it is folded.
  package var foldRows: Int
  /// Words to show as hits, wherever they are found, upper case or lower.
  package var hits: [String]
  /// Whether hits are only shown where they are whole words.
  package var hitsAreWords = false
  /// The name of who reads, shown in a colour of its own where it is written; `nil` if it is unknown.
  package var ownName: String?
  /// The way in which times of day are written.
  package var clock = ClockFormat.hours24
  /// Whether messages of different people are parted by an empty row.
  package var isRoomy = false
  /// Whether what assistants think and do is shown as a line of each.
  package var foldsSteps = true
  /// Whether joins and parts are shown.
  package var events = EventDisplay.all
  /// Whether what is marked in texts is shown as its writer meant it; else it stands there as it was typed.
  package var showsMarkup = true
  /// Whether messages of several conversations are shown, each with the name of its own.
  package var showsConversations = false
  /// The area of a thumbnail; `nil` if none are shown.
  package var pictures: PictureArea?

  /// A way to show that people come and go.
  package enum EventDisplay: String, Hashable, Sendable, CaseIterable {
    /// Neighbouring ones as one row, but for those of people who speak around then.
    case smart
    /// A row of each.
    case all
    /// Not at all.
    case none
  }

  /// A way to write the time of day.
  package enum ClockFormat: String, Hashable, Sendable, CaseIterable {
    /// 14:05
    case hours24 = "24"
    /// 2:05p
    case hours12 = "12"
    /// 14:05:09
    case seconds

    /// The columns that it takes.
    var columns: Int {
      switch self {
      case .hours24: 5
      case .hours12: 6
      case .seconds: 8
      }
    }
  }

  /// Creates settings.
  package init(columns: Int, zone: TimeZone, foldRows: Int = 16, hits: [String] = []) {
    self.columns = max(10, columns)
    self.zone = zone
    self.foldRows = max(2, foldRows)
    self.hits = hits
  }

  /// The columns of the margin in which handles stand.
  package var marginColumns: Int { columns < 40 ? 2 : 3 }

  /// The columns kept for names; 0 where the screen is narrow and names stand in the text.
  var senderColumns: Int {
    switch columns {
    case ..<40: 0
    case ..<60: 8
    default: 12
    }
  }

  /// The columns kept for the names of conversations; 0 where they are not shown, or stand in the text.
  var conversationColumns: Int {
    guard showsConversations else { return 0 }
    switch columns {
    case ..<60: return 0
    case ..<80: return 8
    case ..<120: return 12
    default: return 16
    }
  }

  /// The column where the text begins: what is wrapped hangs from here.
  package var textColumn: Int {
    let beforeConversation = marginColumns + clock.columns + 1
    let beforeSender = beforeConversation + (conversationColumns > 0 ? conversationColumns + 1 : 0)
    return senderColumns > 0 ? beforeSender + senderColumns + 2 : beforeSender
  }

  /// The columns that text has.
  package var textColumns: Int { max(2, columns - textColumn) }
}
