//! Agents, child workflows and fan-outs.

use serde::{Deserialize, Serialize};

use crate::driver::assert_ends;
use crate::{Failure, call, message, sleep};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Reply {
    Tool { name: String, input: String },
    Question(String),
    Answer(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Chat {
    model: String,
    lines: Vec<String>,
    turns: u32,
}

/// Sends a prompt to a model.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn complete(model: String, prompt: String) -> Result<Reply, Failure> {
    let text = call(model, prompt).await?;
    Ok(match text.matches('\n').count() {
        0 => Reply::Tool {
            name: "search".into(),
            input: "rust".into(),
        },
        1 | 2 => Reply::Question("which edition?".into()),
        _ => Reply::Answer(text.len().to_string()),
    })
}

/// An agent that calls tools and queries a person.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn agent(mut chat: Chat, person: String) -> Result<String, String> {
    while chat.turns > 0 {
        chat.turns -= 1;
        let prompt: String = chat.lines.join("\n");
        let reply = complete(chat.model.clone(), prompt).await;
        match reply {
            Ok(Reply::Answer(text)) => {
                chat.lines.push(text);
                return Ok(chat.lines.join(" | "));
            }
            Ok(Reply::Question(question)) => {
                chat.lines.push(question);
                let Some(answer) = message(person.clone(), 2).await else {
                    return Err(format!("{person} is silent"));
                };
                chat.lines.push(answer);
            }
            Ok(Reply::Tool { name, input }) => {
                let output = match call(name.clone(), input).await {
                    Ok(output) => output,
                    Err(Failure::Final(why)) => why,
                    Err(Failure::Temporary { after }) => {
                        #[state(ToolIsBusy)]
                        sleep(after).await;
                        continue;
                    }
                };
                chat.lines.push(format!("{name}: {output}"));
            }
            Err(Failure::Temporary { after }) => sleep(after).await,
            Err(failure) => return Err(format!("{failure:?}")),
        }
    }
    Err(chat.lines.into_iter().last().unwrap_or_default())
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Host {
    name: String,
    disks: Vec<String>,
}

/// A child workflow.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn provision(host: Host) -> Result<Host, (Host, Failure)> {
    let original = host.clone();
    let Host { name, disks } = host;
    let mut ready = Vec::new();
    for disk in disks {
        match call("disk".into(), disk).await {
            Ok(disk) => ready.push(disk),
            Err(failure) => return Err((original, failure)),
        }
    }
    let name = call("dns".into(), name).await;
    let name = name.unwrap_or_else(|_| "unnamed".into());
    Ok(Host { name, disks: ready })
}

/// Child workflows one after the other, with a removal of all of them on a failure.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn cluster(hosts: Vec<Host>, size: usize) -> Result<Vec<String>, String> {
    let mut up: Vec<Host> = Vec::new();
    let mut failures = 0;
    let hosts: Vec<Host> = hosts.into_iter().take(size).collect();
    for host in hosts {
        match provision(host).await {
            Ok(host) => up.push(host),
            Err((host, Failure::Temporary { after })) => {
                sleep(after).await;
                failures += 1;
                call("log".into(), host.name.clone()).await.ok();
            }
            Err((host, failure)) => {
                for host in up {
                    call("undo".into(), host.name.clone()).await.ok();
                }
                return Err(format!("{}: {failure:?}", host.name));
            }
        }
    }
    let mut names: Vec<String> = up.iter().map(|host| host.name.clone()).collect();
    names.push(format!("{failures} failed"));
    Ok(names)
}

/// Two children, each of which ends with a value.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn transfer(from: String, to: String, cents: u64) -> Result<String, Failure> {
    let debit = call("debit".into(), format!("{from}:{cents}")).await;
    let credit = call("credit".into(), format!("{to}:{cents}")).await;
    match (debit, credit) {
        (Ok(debit), Ok(credit)) => Ok(format!("{debit} {credit}")),
        (Ok(debit), Err(failure)) => {
            call("undo".into(), debit).await?;
            Err(failure)
        }
        (Err(failure), Ok(credit)) => {
            #[state(UndoCredit)]
            call("undo".into(), credit).await?;
            Err(failure)
        }
        (Err(failure), Err(_other)) => Err(failure),
    }
}

/// Deploys to regions in waves, with a text that grows.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn deploy(version: String, regions: Vec<(String, u32)>) -> Result<String, String> {
    let mut log = String::new();
    let mut last = None;
    for (region, weight) in regions {
        if weight == 0 {
            continue;
        }
        let target = region.clone() + "/" + &version;
        let deployed = call("deploy".into(), target).await;
        if let Err(failure) = deployed {
            log += &format!("{region} failed: {failure:?}\n");
            if let Some(previous) = last {
                call("undo".into(), previous).await.ok();
            }
            return Err(log);
        }
        sleep(weight).await;
        log.push_str(&region);
        log.push('\n');
        last = Some(region);
    }
    let region = last.ok_or("no region")?;
    Ok(format!("{log}{version} up to {region}"))
}

#[test]
fn agent_answers_after_tool_and_question() {
    let chat = |turns| Chat {
        model: "m".into(),
        lines: vec!["hello".into()],
        turns,
    };
    let expected = "hello | search: search-rust | which edition? | Ada after 2 | 54";
    assert_ends(|| agent(chat(9), "Ada".into()), Ok(expected.to_string()));
    assert_ends(
        || agent(chat(9), "silent".into()),
        Err("silent is silent".to_string()),
    );
    assert_ends(
        || agent(chat(1), "Ada".into()),
        Err("search: search-rust".to_string()),
    );
}

#[test]
fn cluster_removes_hosts_after_failure() {
    let host = |name: &str, disk: &str| Host {
        name: name.into(),
        disks: vec![disk.into()],
    };
    let hosts = |disk: &str| vec![host("a", "1"), host("b", disk), host("c", "3")];
    let expected = ["dns-a", "dns-c", "1 failed"].map(String::from).to_vec();
    assert_ends(|| cluster(hosts("later"), 3), Ok::<_, String>(expected));
    let expected = "b: Final(\"disk: refused\")".to_string();
    assert_ends(
        || cluster(hosts("refused"), 3),
        Err::<Vec<String>, _>(expected),
    );
}

#[test]
fn transfer_undoes_the_other_side() {
    assert_ends(
        || transfer("a".into(), "b".into(), 3),
        Ok("debit-a:3 credit-b:3".to_string()),
    );
    let expected = Failure::Final("credit: refused:3".into());
    assert_ends(|| transfer("a".into(), "refused".into(), 3), Err(expected));
}

#[test]
fn deployment_logs_each_region() {
    let regions = |name: &str| {
        vec![
            ("eu".to_string(), 1),
            ("us".to_string(), 0),
            (name.to_string(), 2),
        ]
    };
    let expected = "eu\nas\nv1 up to as".to_string();
    assert_ends(
        || deploy("v1".into(), regions("as")),
        Ok::<_, String>(expected),
    );
    let expected = "eu\nrefused failed: Final(\"deploy: refused/v1\")\n".to_string();
    assert_ends(
        || deploy("v1".into(), regions("refused")),
        Err::<String, _>(expected),
    );
}
