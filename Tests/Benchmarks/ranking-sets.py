#!/usr/bin/env python3
"""ranking-sets.py FOLDER: fetches public sets of conversations with questions, and writes them in LoCoMo's form for `ranking --set`.

Repositories are cloned into FOLDER/sources, once; what lies there is taken as it is. The sets belong to their authors: LoCoMo
(CC BY-NC 4.0), FriendsQA (its own licence), QMSum (MIT), Molweni (Apache 2.0), irc-disentanglement (CC BY 4.0). None is committed.
"""

import collections
import datetime
import json
import os
import random
import re
import subprocess
import sys

SOURCES = {
    "locomo": "https://github.com/snap-research/locomo",
    "friendsqa": "https://github.com/emorynlp/FriendsQA",
    "qmsum": "https://github.com/Yale-LILY/QMSum",
    "molweni": "https://github.com/HIT-SCIR/Molweni",
    "ubuntu": "https://github.com/jkkummerfeld/irc-disentanglement",
}


class Source:
    def __init__(self, folder, name):
        self.path = os.path.join(folder, "sources", name)
        if not os.path.exists(self.path):
            subprocess.run(["git", "clone", "--bare", "--depth", "1", SOURCES[name], self.path], check=True)

    def _git(self, *words):
        return subprocess.run(["git", "-C", self.path, *words], check=True, capture_output=True).stdout

    def text(self, path):
        return self._git("show", "HEAD:" + path).decode(errors="replace")

    def files(self, folder):
        return self._git("ls-tree", "-r", "--name-only", "HEAD", folder).decode().split("\n")


class Talk:
    """One history: sessions of turns, and questions with the turns that answer them."""

    def __init__(self, name, by):
        self.name, self.by, self.talk, self.questions, self.session = name, by, {}, [], 0

    def begin(self, date=None):
        self.session += 1
        self.talk[f"session_{self.session}"] = []
        if date:
            self.talk[f"session_{self.session}_date_time"] = date.strftime("%-I:%M %p on %-d %B, %Y").lower()

    def add(self, speaker, text):
        turns = self.talk[f"session_{self.session}"]
        turns.append({"speaker": speaker, "dia_id": f"D{self.session}:{len(turns) + 1}", "text": text})
        return turns[-1]["dia_id"]

    def ask(self, question, evidence, kind):
        self.questions.append({"question": question, "evidence": sorted(evidence), "category": kind})

    def sample(self):
        return {"sample_id": self.name, "by": self.by, "conversation": self.talk, "qa": self.questions}


KINDS = ("when", "where", "who", "why", "how", "which", "what")


def kind(question):
    words = re.findall(r"\w+", question.lower())
    return next((word for word in words[:4] if word in KINDS), "other")


def friendsqa(source):
    talk = Talk("friends", "sessions")
    for part in ("dev", "tst"):
        for scene in json.loads(source.text(f"dat/friendsqa_{part}.json"))["data"]:
            for paragraph in scene["paragraphs"]:
                talk.begin()
                ids = {}
                for turn in paragraph["utterances:"]:
                    ids[turn["uid"]] = talk.add(" & ".join(turn["speakers"]), turn["utterance"])
                for asked in paragraph["qas"]:
                    evidence = {ids[a["utterance_id"]] for a in asked["answers"] if a["utterance_id"] in ids}
                    if evidence:
                        talk.ask(asked["question"], evidence, kind(asked["question"]))
    return [talk]


def qmsum(source):
    talk = Talk("meetings", "sessions")
    for path in sorted(source.files("data/ALL")):
        if not path.endswith(".json") or "/jsonl/" in path:
            continue
        meeting = json.loads(source.text(path))
        talk.begin()
        ids = [talk.add(turn["speaker"], turn["content"]) for turn in meeting["meeting_transcripts"]]
        for asked in meeting["specific_query_list"]:
            evidence = set()
            for first, last in asked["relevant_text_span"]:
                evidence.update(ids[int(first) : int(last) + 1])
            if evidence:
                talk.ask(asked["query"], evidence, kind(asked["query"]))
    return [talk]


def molweni(source):
    """Dialogues that share lines are one session: they were cut from the same talk."""
    dialogues = json.loads(source.text("MRC(withDiscourse)/test.json"))["data"]["dialogues"]
    groups = []
    for dialogue in dialogues:
        lines = [(edu["speaker"], edu["text"]) for edu in dialogue["edus"]]
        shared = [group for group in groups if not group["lines"].keys().isdisjoint(lines)]
        merged = {"lines": {}, "dialogues": []}
        for group in shared:
            groups.remove(group)
            merged["lines"].update(group["lines"])
            merged["dialogues"] += group["dialogues"]
        merged["lines"].update(dict.fromkeys(lines))
        merged["dialogues"].append(dialogue)
        groups.append(merged)
    talk = Talk("molweni", "lines")
    for group in groups:
        talk.begin()
        ids = {line: talk.add(*line) for line in group["lines"]}
        for dialogue in group["dialogues"]:
            places, text = [], ""
            for edu in dialogue["edus"]:
                text += f"{edu['speaker']}: {edu['text']} "
                places.append((len(text), ids[edu["speaker"], edu["text"]]))
            for asked in dialogue["qas"]:
                if not asked["is_impossible"]:
                    starts = [answer["answer_start"] for answer in asked["answers"]]
                    evidence = {next((i for end, i in places if start < end), None) for start in starts} - {None}
                    if evidence:
                        talk.ask(asked["question"], evidence, kind(asked["question"]))
    return [talk]


SAID = re.compile(r"\[\d\d:\d\d\] <([^>]+)> (.*)")


def ubuntu(source):
    """Questions that people asked, each left out of the channel, and questions of what a sender said about two words."""
    dice, talk = random.Random(58), Talk("ubuntu", "lines")
    files = [p for part in ("train", "dev", "test") for p in source.files(f"data/{part}") if p.endswith(".ascii.txt")]
    files.sort(key=os.path.basename)
    said, of_senders = [], []
    for path in files:
        lines = [SAID.match(line) for line in source.text(path).split("\n")]
        links = [line.split()[:2] for line in source.text(path.replace(".ascii.", ".annotation.")).splitlines()]
        home = list(range(len(lines)))

        def root(place):
            while home[place] != place:
                home[place] = home[home[place]]
                place = home[place]
            return place

        annotated = set()
        for a, b in links:
            a, b = sorted((int(a), int(b)))
            annotated.update((a, b))
            home[root(b)] = root(a)
        clusters = collections.defaultdict(list)
        for place in sorted(annotated):
            if place < len(lines) and lines[place]:
                clusters[root(place)].append(place)
        questions = {}
        for places in clusters.values():
            first = lines[places[0]]
            replies = [p for p in places[1:] if lines[p][1] != first[1]]
            if places[0] >= 1000 and "?" in first[2] and len(first[2].split()) >= 6 and replies:
                questions[places[0]] = places[1:]
        talk.begin(datetime.datetime.strptime(os.path.basename(path)[:10], "%Y-%m-%d"))
        ids = {}
        for place, line in enumerate(lines):
            if line and place not in questions:
                ids[place] = talk.add(line[1], line[2])
                said.append((line[1], line[2], ids[place]))
                if place >= 1000:
                    of_senders.append(said[-1])
        for place, places in questions.items():
            text = re.sub(r"^[\w\[\]|`^-]+[:,] ", "", lines[place][2])
            talk.ask(text, {ids[p] for p in places if p in ids}, "asked")
    words_of = [set(re.findall(r"[a-z]{4,}", text.lower())) for _, text, _ in said]
    counts = collections.Counter(word for words in words_of for word in words)
    by_sender = collections.defaultdict(list)
    for (sender, _, turn), words in zip(said, words_of):
        by_sender[sender].append((words, turn))
    wanted = sum(1 for asked in talk.questions) // 2
    while wanted:
        sender, text, _ = dice.choice(of_senders)
        words = [w for w in re.findall(r"[a-z]{4,}", text.lower()) if 20 <= counts[w] <= 2000 and w != sender.lower()]
        if len(text.split()) < 8 or len(set(words)) < 2:
            continue
        first, second = dice.sample(sorted(set(words)), 2)
        evidence = {turn for words, turn in by_sender[sender] if first in words and second in words}
        talk.ask(f"What did {sender} say about {first} and {second}?", evidence, "sender")
        wanted -= 1
    return [talk]


def main():
    folder = sys.argv[1]
    os.makedirs(os.path.join(folder, "sources"), exist_ok=True)
    for name, read in {"friendsqa": friendsqa, "qmsum": qmsum, "molweni": molweni, "ubuntu": ubuntu}.items():
        samples = [talk.sample() for talk in read(Source(folder, name))]
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(samples, file)
        turns = sum(len(v) for s in samples for k, v in s["conversation"].items() if not k.endswith("time"))
        print(f"{name}: {turns} turns, {sum(len(s['qa']) for s in samples)} questions")
    with open(os.path.join(folder, "locomo.json"), "w") as file:
        file.write(Source(folder, "locomo").text("data/locomo10.json"))


main()
