import Foundation
import MessageInterchange
import MessageModel
import TestSupport
import Testing

/// Folders of real logs and exports, with what a script of its own counted in them; the large ones in the long form alone.
@Suite struct SharedFoldersTests {
  struct Folder: Sendable {
    var name: String
    var texts: Int
    var actions: Int
    var events: Int
  }

  /// Marks of sessions, such as mIRC's, are no events; docs/imports.md says where else counts differ.
  static let folders = [
    Folder(name: "irc-limnoria", texts: 4_073, actions: 8, events: 5_663),
    Folder(name: "irc-mirc", texts: 3_588, actions: 110, events: 4_902),
    Folder(name: "irc-misc", texts: 19, actions: 3, events: 19),
    Folder(name: "irc-new-domains", texts: 6_884, actions: 77, events: 226),
    Folder(name: "irc-switchdev", texts: 1_534, actions: 0, events: 33_660),
    Folder(name: "irc-znc", texts: 16_424, actions: 161, events: 12_942),
    Folder(name: "irc-irssi", texts: 46_071, actions: 21, events: 0),
    Folder(name: "adium", texts: 42, actions: 0, events: 3),
    Folder(name: "mattermost", texts: 2_136, actions: 0, events: 0),
    Folder(name: "messenger", texts: 7, actions: 0, events: 0),
    Folder(name: "telegram", texts: 8, actions: 0, events: 2),
  ].filter { (isLong || $0.texts + $0.events < 12_000) && Fixture.hasShared($0.name) }

  @Test(.enabled(if: !folders.isEmpty, "needs the shared logs and exports"), arguments: folders)
  func `a real folder gives as many messages as there are in it`(folder: Folder) throws {
    let picture = try ImportPicture([Fixture.shared(folder.name)])
    #expect(picture.kinds[.text] == folder.texts)
    #expect(picture.kinds[.action, default: 0] == folder.actions)
    #expect(picture.eventCount == folder.events)
    #expect(picture.skipped.allSatisfy { $0.scope == .ignored })
  }
}
