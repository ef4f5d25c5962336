import Foundation
import ScrollbackKit

/// Shows a conversation, a row for each message: k j b space g G go through it, q leaves.
@main struct TerminalViewer {
  let list: MessageList
  let rows = 23

  static func main() async throws {
    guard CommandLine.arguments.count == 3 else { return print("usage: TerminalViewer STORE CONVERSATION") }
    let store = try await MessageStore(path: CommandLine.arguments[1], options: .readOnly)
    let name = CommandLine.arguments[2]
    let found = try await store.read { try $0.conversation(named: name) }
    guard let conversation = found else {
      return print("there is no such conversation in \(store.path)")
    }
    var settings = termios()
    tcgetattr(0, &settings)
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(0, TCSANOW, &raw)
    await TerminalViewer(list: MessageList(Selection(conversation.id), in: store)).run()
    tcsetattr(0, TCSANOW, &settings)
  }

  func run() async {
    list.send(.jump(to: .newest))
    let drawing = Task {
      for await snapshot in list.snapshots(every: .milliseconds(16)) { draw(snapshot) }
    }
    let (keys, typed) = AsyncStream.makeStream(of: Int32.self)
    Thread.detachNewThread { while case let key = getchar(), key >= 0 { typed.yield(key) } }
    for await key in keys {
      switch UnicodeScalar(UInt32(key)) {
      case "k": await move(by: -1)
      case "j": await move(by: 1)
      case "b": await move(by: -rows)
      case " ": await move(by: rows)
      case "g": list.send(.jump(to: .oldest))
      case "G": list.send(.jump(to: .newest))
      case "q": return drawing.cancel()
      default: break
      }
    }
  }

  /// Says what is in view: the list reads ahead of that, and keeps it when messages come in.
  func move(by count: Int) async {
    let view = view(of: await list.current, movedBy: count)
    guard let first = view.first, let last = view.last else { return }
    list.send(.readerMoved(first: first.id, last: last.id))
  }

  func view(of snapshot: MessageList.Snapshot, movedBy count: Int = 0) -> ArraySlice<Message> {
    let (messages, header) = (snapshot.messages, snapshot.header)
    let place = messages.firstIndex { $0.id == header.position?.id } ?? 0
    let lowest = max(messages.count - rows, 0)
    let top = max(0, min((header.isFollowing ? lowest : place) + count, lowest))
    return messages[top..<min(top + rows, messages.count)]
  }

  func draw(_ snapshot: MessageList.Snapshot) {
    let lines = view(of: snapshot).map { message in
      // What others wrote must not act on the terminal.
      "\(message.sender?.name ?? "*"): \(message.text)".prefix(78)
        .replacing(/[\p{Cc}\p{Cf}\u{2028}\u{2029}]/, with: "·")
    }
    let place = "\(snapshot.header.total.map { "\($0) messages" } ?? "reading …")"
    let screen = "\u{1B}[2J\u{1B}[H" + lines.joined(separator: "\n") + "\n\u{1B}[7m \(place) \u{1B}[0m"
    FileHandle.standardOutput.write(Data(screen.utf8))
  }
}
