extension IRCDialect {
  /// ZNC's log module: one file per day, named after the day.
  static let znc = IRCDialect(
    name: "irc-znc",
    title: "IRC, ZNC's log",
    clocks: [ClockPattern("[%H:%M:%S] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice],
    network: { path in
      // The folders of a module loaded for a network, a user, or globally: https://wiki.znc.in/Log
      let folders = Array(path.dropLast())
      guard let log = folders.lastIndex(of: "log"), log > 0, folders[log - 1] == "moddata" else { return nil }
      if log >= 3, folders[log - 3] == "networks" { return folders[log - 2] }
      let place = log >= 3 && folders[log - 3] == "users" ? log + 1 : log + 2
      return folders.indices.contains(place + 1) ? folders[place] : nil
    })
}
