internal import Foundation
internal import MessageModel

/// Events in groups and messages of WhatsApp itself; Android and iPhones number them differently.
enum WhatsAppEvent {
  case renamed, joined, added, left, removed, pictureChanged, pictureDeleted, created, numberChanged
  case madeAdministrator, noAdministrator, encrypted, codeChanged, described, timer, blocked, unblocked
  case groupCall, missedVoiceCall, missedVideoCall, pinned, business, listCreated, onlyAdministrators
  case inviteReset, community, usernameChanged

  init?(android number: Int64) {
    switch number {
    case 1: self = .renamed
    case 4, 12: self = .added
    case 20, 79: self = .joined
    case 5, 13: self = .left
    case 7, 14: self = .removed
    case 6: self = .pictureChanged
    case 9: self = .listCreated
    case 10, 28: self = .numberChanged
    case 11: self = .created
    case 15: self = .madeAdministrator
    case 16: self = .noAdministrator
    case 18: self = .codeChanged
    case 19, 67: self = .encrypted
    case 27: self = .described
    case 46, 47, 50, 69: self = .business
    case 56: self = .timer
    case 57: self = .codeChanged
    case 58: self = .blocked
    case 70: self = .groupCall
    case 87, 108...116: self = .community
    case 118: self = .pinned
    case 165: self = .usernameChanged
    default: return nil
    }
  }

  init?(phone number: Int64) {
    switch number {
    case 1: self = .renamed
    case 3: self = .left
    case 4: self = .pictureChanged
    case 5: self = .pictureDeleted
    case 6, 9: self = .numberChanged
    case 7: self = .removed
    case 8: self = .listCreated
    case 10: self = .madeAdministrator
    case 11, 18, 19, 20: self = .onlyAdministrators
    case 12: self = .created
    case 15, 23: self = .joined
    case 16: self = .inviteReset
    case 17, 22: self = .described
    case 21, 45: self = .missedVoiceCall
    case 46: self = .missedVideoCall
    case 26, 30: self = .business
    case 27, 31, 32, 39: self = .community
    case 34: self = .blocked
    case 35: self = .unblocked
    case 36: self = .codeChanged
    case 41: self = .groupCall
    case 50: self = .added
    default: return nil
    }
  }

  var isSomebodys: Bool {
    switch self {
    case .encrypted, .codeChanged, .business, .blocked, .unblocked, .missedVoiceCall, .missedVideoCall: false
    default: true
    }
  }

  /// `text` is a group's new name or a description, `people` the names of the affected people.
  func write(_ text: String, _ people: String, into message: inout RichMessage) {
    func say(_ kind: Message.Kind, _ words: String) { (message.kind, message.text) = (kind, words) }
    let whom = people.isEmpty ? "a member" : people
    switch self {
    case .renamed: say(.topic, text)
    case .joined:
      say(.join, people.isEmpty ? "joined by an invite link" : "\(people) joined by an invite link")
    case .added: say(.join, "added \(whom)")
    case .left: say(.part, "left")
    case .removed: say(.kick, "removed \(whom)")
    case .pictureChanged: say(.system, "changed the picture of the group")
    case .pictureDeleted: say(.system, "deleted the picture of the group")
    case .created: say(.system, text.isEmpty ? "created the group" : "created the group “\(text)”")
    case .numberChanged: say(.nick, people.isEmpty ? "changed the number" : "changed the number: \(people)")
    case .madeAdministrator: say(.mode, "made an administrator of \(whom)")
    case .noAdministrator: say(.mode, "took \(whom) the rights of an administrator")
    case .encrypted: say(.system, "messages are end-to-end encrypted")
    case .codeChanged: say(.system, "the security code changed")
    case .described:
      say(.topic, text.isEmpty ? "changed the description" : "changed the description: \(text)")
    case .timer: say(.system, "changed how long messages stay")
    case .blocked: say(.system, "contact blocked or unblocked")
    case .unblocked: say(.system, "contact unblocked")
    case .groupCall: say(.call, "started a call")
    case .missedVoiceCall: say(.call, "missed voice call")
    case .missedVideoCall: say(.call, "missed video call")
    case .pinned: say(.system, "pinned a message")
    case .business: say(.system, "business account")
    case .listCreated: say(.system, "created a broadcast list")
    case .onlyAdministrators: say(.mode, "changed what only administrators may do")
    case .inviteReset: say(.system, "reset the invite link")
    case .community: say(.system, text.isEmpty ? "changed the community" : "changed the community: \(text)")
    case .usernameChanged:
      say(.nick, people.isEmpty ? "changed the user name" : "changed the user name: \(people)")
    }
  }

  static func writeUnknown(_ number: Int64, _ text: String, _ people: String, into message: inout RichMessage)
  {
    let facts = [text, people].filter { !$0.isEmpty }.joined(separator: " ")
    message.kind = .system
    message.text = facts.isEmpty ? "notice \(number)" : "notice \(number): \(facts)"
  }
}

/// WhatsApp's numbers for kinds of messages on Android; iPhones have others.
enum WhatsAppKind {
  private static func word(_ type: Int64) -> String? {
    switch type {
    case 1: "picture"
    case 2: "sound"
    case 3: "film"
    case 9: "document"
    case 13: "moving picture"
    case 20: "sticker"
    case 42: "picture to be seen once"
    case 43: "film to be seen once"
    case 82: "sound to be heard once"
    default: nil
    }
  }

  static func isFile(_ type: Int64) -> Bool { word(type) != nil }

  /// Kinds without content: frames around picture messages, and some that the app never shows.
  static func isFrame(_ type: Int64) -> Bool { type == 99 || type == 116 }

  static func isDeleted(_ type: Int64) -> Bool { type == 15 || type == 64 }

  static func words(_ type: Int64) -> String? {
    switch type {
    case 8, 11, 90: "call"
    case 10: "missed call"
    case 24: "invitation to a group"
    case 36: "changed how long messages stay"
    case 66, 106: "poll"
    case 92: "event"
    case 112: "changed the privacy of the chat"
    default: word(type)
    }
  }

  static func fileName(_ name: String?, _ path: String?, _ type: Int64) -> String {
    if let name, !name.isEmpty { return name }
    return path?.split(separator: "/").last.map(String.init) ?? word(type) ?? "file"
  }

  static func place(_ names: [String?], _ latitude: Double, _ longitude: Double) -> String {
    let words = names.compactMap { $0 }.filter { !$0.isEmpty }
    return (words + ["\(latitude),\(longitude)"]).joined(separator: "\n")
  }

  static func call(isVideo: Bool, seconds: Int64) -> String {
    let sort = isVideo ? "video call" : "voice call"
    return seconds > 0 ? "\(sort), \(seconds) s" : "\(sort), not answered"
  }
}
