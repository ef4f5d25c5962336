import ChatSession
import Foundation
import HistoryModel
import MessageModel
import MessagePictures
import MessageStorage
internal import TerminalText

/// The context that the parts of stories have in common: that of the REPL, and painting without a REPL.
enum StoryContext {
  /// The largest conversation, open.
  static func make(_ store: SynchronousMessageStore) throws -> ReplContext {
    ReplContext(
      store: store, conversation: try conversation(of: store), me: "me", zone: .gmt, now: systemTime)
  }

  /// Returns the conversation that the story is about.
  static func conversation(of store: SynchronousMessageStore) throws -> Conversation {
    guard let conversation = try store.conversations().max(by: { $0.messageCount < $1.messageCount }) else {
      throw StoreError(.notFound, "the store of the story is empty")
    }
    return conversation
  }

  /// The maker of thumbnails.
  static func maker() throws -> any PictureMaker {
    if let maker = PictureSupport.maker { return maker }
    throw StoreError(
      .invalidRequest, "this build makes no pictures", cause: "the libraries for them were not there",
      remedy: "make prepare bench STORY=pictures")
  }

  /// Lays out messages.
  static func rows(of messages: [Message], _ columns: Int) -> [Row] {
    var renderer = MessageRenderer(LayoutSettings(columns: columns, zone: .gmt))
    return messages.flatMap { renderer.rows(of: $0) }
  }

  /// Paints rows over an empty screen and returns the number of bytes.
  static func paint(_ rows: some Sequence<Row>) -> Int {
    var painter = ScreenPainter(StyleEncoder(.indexed))
    return painter.paint(Screen(rows: Array(rows), columns: 120)).utf8.count
  }

  /// Lays out as many messages as a screen shows and paints them.
  static func paint(_ messages: [Message], _ columns: Int, height: Int) -> Int {
    var renderer = MessageRenderer(LayoutSettings(columns: columns, zone: .gmt))
    var shown: [Row] = []
    for message in messages where shown.count < height { shown += renderer.rows(of: message) }
    return paint(shown.prefix(height))
  }

  /// The memory that this process holds now, in MB.
  static var resident: Double { Double(ProcessMemory.now().residentByteCount) / 1e6 }
}

extension JobThreads {
  /// Tells a session of an event and begins the work that it asks for.
  func tell(_ event: ReplEvent, to session: inout Session<ScreenReader>) {
    for job in session.handle(event).jobs { start(job) }
  }

  /// Tells a session what its work has found.
  func tellReports(to session: inout Session<ScreenReader>) {
    for report in takeReports() { tell(.reported(report), to: &session) }
  }
}
