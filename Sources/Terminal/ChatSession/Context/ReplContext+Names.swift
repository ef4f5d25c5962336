internal import Foundation
internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// The longest time that a Tab may look names up: it is answered on the thread of the keys.
  private static let namePatience = Duration.milliseconds(100)

  /// Returns names for completion, none if they cannot be read, or not soon.
  package func names(_ wanted: Completion.Names) -> [String] {
    let end = ContinuousClock.now + Self.namePatience
    let isLate: @Sendable () -> Bool = { ContinuousClock.now > end }
    return SynchronousMessageStore.whileCancellable(by: isLate) { found(wanted) }
  }

  private func found(_ wanted: Completion.Names) -> [String] {
    switch wanted {
    case .conversations: places.recentFirst((try? store.conversationNames()) ?? [])
    case .senders: speakers()
    case .marks: ((try? store.marks()) ?? []).map { "'" + $0.name }
    case .people: (try? store.peopleNames()) ?? []
    case .savedFilters: ((try? store.savedFilters()) ?? []).map(\.name)
    case .sessions(let sort): (try? store.sessionWords(sort)) ?? []
    case .files(let beginning): Self.files(beginning)
    }
  }

  /// The number of newest messages whose senders are the recent ones.
  private static let recentCount = 200

  /// Those who wrote something: those of the newest messages here first, the last speaker before the others.
  private func speakers() -> [String] {
    let request = PageRequest(
      wholeSelection, order: .newestFirst, anchor: .newest, fetchLimit: Self.recentCount,
      wantsCounts: false)
    let recent = ((try? store.page(request))?.messages ?? []).compactMap(\.sender?.name)
    let all = ((try? store.senders()) ?? []).map(\.sender.name).sorted()
    var seen: Set<String> = []
    return (recent + all).filter { seen.insert($0).inserted }
  }

  /// The files of a folder whose path begins so; folders end in a slash.
  private static func files(_ beginning: String) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
    let place = PathText.expanded(String(folder))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.isEmpty ? "." : place))
    let showsHidden = beginning.dropFirst(folder.count).hasPrefix(".")
    return (names ?? []).filter { $0.hasPrefix(".") == showsHidden }.map { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: place + name, isDirectory: &isFolder)
      return "\(folder)\(name)\(isFolder.boolValue ? "/" : "")"
    }
  }
}
