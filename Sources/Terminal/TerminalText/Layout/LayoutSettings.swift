package import Foundation
package import MessageMarkup

/// The settings that determine the rows of a message.
package struct LayoutSettings: Hashable, Sendable {
  /// At least 10.
  package var columns: Int
  package var zone: TimeZone
  /// The most rows of text shown of a message; longer ones are folded.
  package var foldRows: Int
  /// Words to highlight, ignoring case.
  package var hits: [String]
  package var hitsAreWords = false
  /// The reader's names, highlighted in texts.
  package var ownNames: [String] = []
  package var clock = ClockFormat.hours24
  /// Whether an empty row separates messages of different people.
  package var isRoomy = false
  /// Whether each step of an assistant is folded to a row.
  package var foldsSteps = true
  package var events = EventDisplay.all
  /// Whether markup is rendered instead of shown as typed.
  package var showsMarkup = true
  /// Whether each message shows its conversation.
  package var showsConversations = false
  /// The area of a thumbnail; `nil` for none.
  package var pictures: PictureArea?

  /// How joins and parts are shown.
  package enum EventDisplay: String, Hashable, Sendable, CaseIterable {
    /// Consecutive ones in a row, except those of people who speak around that time.
    case smart
    /// A row each.
    case all
    /// Hidden.
    case none
  }

  package enum ClockFormat: String, Hashable, Sendable, CaseIterable {
    /// 14:05
    case hours24 = "24"
    /// 2:05p
    case hours12 = "12"
    /// 14:05:09
    case seconds

    var columns: Int {
      switch self {
      case .hours24: 5
      case .hours12: 6
      case .seconds: 8
      }
    }
  }

  package init(columns: Int, zone: TimeZone, foldRows: Int = 16, hits: [String] = []) {
    self.columns = max(10, columns)
    self.zone = zone
    self.foldRows = max(2, foldRows)
    self.hits = hits
  }

  /// The width of the margin with the letters.
  package var marginColumns: Int { columns < 40 ? 2 : 3 }

  /// The width of the names' column; 0 on narrow screens, where names begin the text.
  var senderColumns: Int {
    switch columns {
    case ..<40: 0
    case ..<60: 8
    default: 12
    }
  }

  /// The width of the conversations' column; 0 if they are not shown, or begin the text.
  var conversationColumns: Int {
    guard showsConversations else { return 0 }
    switch columns {
    case ..<60: return 0
    case ..<80: return 8
    case ..<120: return 12
    default: return 16
    }
  }

  /// The column where the text begins; wrapped lines are indented to it.
  package var textColumn: Int {
    let beforeConversation = marginColumns + clock.columns + 1
    let beforeSender = beforeConversation + (conversationColumns > 0 ? conversationColumns + 1 : 0)
    return senderColumns > 0 ? beforeSender + senderColumns + 2 : beforeSender
  }

  package var textColumns: Int { max(2, columns - textColumn) }
}

/// Names for a message that its record does not contain.
package struct ShownNames: Hashable, Sendable {
  /// `nil` where a single conversation is shown.
  package var conversation: String?
  /// The sender's person; `nil` to show the name in the message.
  package var person: String?
  /// Whether one of the reader's accounts wrote it.
  package var isOwn: Bool
  package var dialect: MarkupDialect

  package init(
    conversation: String? = nil, person: String? = nil, isOwn: Bool = false, dialect: MarkupDialect = .none
  ) {
    self.conversation = conversation
    self.person = person
    self.isOwn = isOwn
    self.dialect = dialect
  }
}
