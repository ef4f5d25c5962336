/// The manner in which people mark texts on a platform.
package enum MarkupDialect: Hashable, Sendable, CaseIterable {
  /// As it is typed, links included: what nobody knows the platform of, and what is no message.
  case none
  /// Without marks: links alone.
  case plain
  /// Of a platform that nobody knows: links, and code and links with names where nothing else can be meant.
  case unknown
  /// Without marks, since they were resolved when it was read: links and mentions.
  case named
  /// `*bold*`, `_italic_`, `~strike~`, blocks, quotes, `:names:` of emoji.
  /// <https://docs.slack.dev/messaging/formatting-message-text>
  case slack
  /// As Slack, with lists and without names of emoji. <https://faq.whatsapp.com/539178204879377>
  case whatsApp
  /// Markdown with `__underline__`, `||spoilers||`, and languages of blocks.
  /// <https://support.discord.com/hc/en-us/articles/210298617>
  case discord
  /// CommonMark, as far as chats have it. <https://spec.commonmark.org>
  case markdown
  /// Codes of control. <https://modern.ircdocs.horse/formatting>
  case irc

  /// The dialect of a platform, or of a format that messages were read in; `nil` if neither is known.
  package init(platform: String?) {
    guard let platform else {
      self = .unknown
      return
    }
    let name = platform.prefix { $0 != " " && $0 != "," }
    func isOf(_ families: [String]) -> Bool {
      families.contains { name == $0 || name.hasPrefix($0 + "-") }
    }
    switch true {
    case isOf(["slack", "slackdump"]): self = .slack
    case isOf(["discord"]): self = .discord
    case isOf(["whatsapp", "google-chat", "hangouts"]): self = .whatsApp
    case isOf(Self.markdownNames): self = .markdown
    case isOf(["irc", "twitch"]): self = .irc
    case isOf(["telegram", "signal", "imessage", "messenger", "instagram", "line", "skype"]): self = .named
    default: self = .unknown
    }
  }

  private static let markdownNames = [
    "matrix", "mattermost", "zulip", "aider", "amp", "character", "chatgpt", "claude", "claude.ai", "cline",
    "codex", "copilot", "crush", "cursor", "gemini", "llm", "lm", "open", "opencode", "pi", "sillytavern",
  ]

  /// Whether texts are looked at for anything.
  package var isParsed: Bool { self != .none }

  /// Whether names between colons are emoji.
  var hasEmojiNames: Bool {
    switch self {
    case .slack, .discord, .markdown: true
    case .none, .plain, .unknown, .named, .whatsApp, .irc: false
    }
  }

  var hasMentions: Bool {
    switch self {
    case .slack, .discord, .markdown, .named, .whatsApp: true
    case .none, .plain, .unknown, .irc: false
    }
  }

  /// Whether names of conversations stand behind `#`.
  var hasChannels: Bool { self == .slack || self == .discord }

  /// Whether there are marks for lines and within them.
  var hasMarks: Bool {
    switch self {
    case .slack, .discord, .markdown, .whatsApp: true
    case .none, .plain, .unknown, .named, .irc: false
    }
  }

  /// Whether code stands between backticks.
  var hasCode: Bool { hasMarks || self == .unknown }

  /// Whether `<address|name>` is a link: Slack's form, which nothing else can be meant by where no platform is known.
  var hasNamedLinks: Bool {
    switch self {
    case .slack, .unknown: true
    case .none, .plain, .named, .whatsApp, .discord, .markdown, .irc: false
    }
  }

  /// Whether marks are those of Markdown: runs of signs, `[names](of links)`, `\` before a sign.
  var isMarkdown: Bool {
    switch self {
    case .discord, .markdown: true
    case .none, .plain, .unknown, .named, .slack, .whatsApp, .irc: false
    }
  }

  /// Whether a block of code begins at the beginning of a line alone.
  var hasFencesOfLines: Bool { self == .markdown || self == .unknown }

  /// The signs of lists, each before a space.
  var bullets: [UInt8] {
    switch self {
    case .markdown: Array("-*+".utf8)
    case .discord, .whatsApp: Array("-*".utf8)
    case .none, .plain, .unknown, .named, .slack, .irc: []
    }
  }

  /// The most `#` before a heading.
  var headingDepth: Int {
    switch self {
    case .markdown: 6
    case .discord: 3
    case .none, .plain, .unknown, .named, .slack, .whatsApp, .irc: 0
    }
  }

  /// Returns the looks that a run of signs gives to a text between two of them; `nil` if it gives none.
  func style(_ sign: UInt8, _ count: Int) -> MarkupSpan.Style? {
    switch (sign, count) {
    case (UInt8(ascii: "*"), 1): isMarkdown ? .italic : .bold
    case (UInt8(ascii: "*"), 2): isMarkdown ? .bold : nil
    case (UInt8(ascii: "_"), 1): .italic
    case (UInt8(ascii: "_"), 2): self == .discord ? .underline : isMarkdown ? .bold : nil
    case (UInt8(ascii: "~"), 1): isMarkdown ? nil : .strike
    case (UInt8(ascii: "~"), 2): isMarkdown ? .strike : nil
    case (UInt8(ascii: "|"), 2): self == .discord ? .spoiler : nil
    case _: nil
    }
  }
}
