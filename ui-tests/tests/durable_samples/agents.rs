//! Agents and pipelines: a cluster manager, a research agent, a chain of image steps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::durable::{Result, activities, attempt, failure, minutes, signal, timeout};
use super::world::{self, Script, effect};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Finding {
    query: String,
    comments: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Story {
    id: u32,
    comments: u32,
}

activities! {
    fn search(query: &str) -> Vec<Story> {
        effect(format!("search {query}"));
        (0..3).map(|id| Story { id, comments: id }).collect()
    }
    fn read_comments(story: u32) -> Vec<String> {
        effect(format!("read {story}"));
        vec![format!("comment on {story}")]
    }
    fn should_continue(findings: &[Finding]) -> bool {
        findings.len() < 4
    }
    fn follow_up(topic: &str, findings: &[Finding]) -> Option<String> {
        (findings.len() < 3).then(|| format!("{topic} {}", findings.len()))
    }
    fn synthesize(topic: &str, findings: &[Finding]) -> String {
        format!("{topic}: {} findings", findings.len())
    }
}

/// DBOS, demo apps, research agent.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn research(topic: String, max_iterations: u32) -> String {
    let mut findings = Vec::new();
    let mut query = topic.clone();
    let mut iteration = 0;
    loop {
        iteration += 1;
        println!("iteration {iteration} of {max_iterations}: {query}");
        let finding = research_query(query).await;
        findings.push(finding);
        #[step]
        let goes_on = should_continue(&findings).await;
        if !goes_on || iteration == max_iterations {
            break;
        }
        #[step]
        let next = follow_up(&topic, &findings).await;
        let Some(next) = next else { break };
        query = next;
    }
    #[step]
    synthesize(&topic, &findings).await
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn research_query(query: String) -> Finding {
    #[step]
    let stories = search(&query).await;
    let mut comments = Vec::new();
    for story in stories {
        if story.comments > 0 {
            #[step]
            let read = read_comments(story.id).await;
            comments.extend(read);
        }
    }
    Finding { query, comments }
}

#[derive(Debug, Serialize, Deserialize)]
enum ClusterEvent {
    Assign { job: String, nodes: usize },
    Delete { job: String },
    Shutdown,
}

activities! {
    fn start_cluster() -> Vec<String> {
        (1..=4).map(|id| format!("node {id}")).collect()
    }
    fn assign_nodes(job: &str, nodes: &[String]) -> Result<()> {
        effect(format!("assign {nodes:?} to {job}"));
        attempt("assign_nodes")
    }
    fn free_nodes(job: &str, nodes: &[String]) {
        effect(format!("free {nodes:?} of {job}"));
    }
    fn find_bad_nodes(nodes: &BTreeSet<String>) -> Result<Vec<String>> {
        effect(format!("check {nodes:?}"));
        Ok(nodes.iter().filter(|node| node.ends_with('2') && world::now() > 1_000).cloned().collect())
    }
}

/// Temporal, samples-python, cluster manager with safe message handlers.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn cluster_manager() -> Result<(usize, usize)> {
    #[step]
    let started = start_cluster().await;
    let mut free: VecDeque<String> = started.into();
    let mut jobs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut bad = BTreeSet::new();
    loop {
        match timeout(minutes(10), signal("cluster")).await {
            Some(ClusterEvent::Assign { job, nodes }) if nodes <= free.len() => {
                let assigned: Vec<String> = free.drain(..nodes).collect();
                #[step]
                assign_nodes(&job, &assigned).await?;
                jobs.entry(job).or_default().extend(assigned);
            }
            Some(ClusterEvent::Assign { job, .. }) => println!("not enough nodes for {job}"),
            Some(ClusterEvent::Delete { job }) => {
                if let Some(nodes) = jobs.remove(&job) {
                    #[step]
                    free_nodes(&job, &nodes).await;
                    free.extend(nodes);
                }
            }
            Some(ClusterEvent::Shutdown) => break,
            None => {
                let assigned: BTreeSet<String> = jobs.values().flatten().cloned().collect();
                #[step]
                let found = find_bad_nodes(&assigned).await;
                bad.extend(found.unwrap_or_default());
            }
        }
    }
    Ok((jobs.values().map(Vec::len).sum(), bad.len()))
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum ImageStep {
    Generate { prompt: String },
    Blur { strength: u8 },
    Rotate(u16),
}

activities! {
    fn generate(prompt: &str, output: &str) -> Result<String> {
        effect(format!("generate {prompt} to {output}"));
        attempt("generate")?;
        Ok(format!("{output} of {prompt}"))
    }
    fn transform(kind: &str, amount: u32, input: &str, output: &str) -> Result<String> {
        effect(format!("{kind} {amount} from {input} to {output}"));
        attempt(kind)?;
        Ok(format!("{output} of {input}"))
    }
}

/// Restate, examples, image workflows.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_image(name: String, steps: Vec<ImageStep>) -> Result<Vec<String>> {
    let Some(ImageStep::Generate { .. }) = steps.first() else {
        return Err(failure("the first step must be a source"));
    };
    let mut log = Vec::new();
    let mut input = String::new();
    for step in steps {
        let output = format!("{name}-{}.png", log.len());
        #[step]
        #[state(Processing)]
        let done = match step {
            ImageStep::Generate { prompt } => generate(&prompt, &output).await?,
            ImageStep::Blur { strength } => {
                transform("blur", strength.into(), &input, &output).await?
            }
            ImageStep::Rotate(degrees) => {
                transform("rotate", degrees.into(), &input, &output).await?
            }
        };
        log.push(done);
        input = output;
    }
    Ok(log)
}

#[test]
fn agent_follows_up_on_its_findings() {
    let (output, effects) = world::run(&Script::new(), || research("rust".into(), 5));
    assert_eq!(output, "rust: 3 findings");
    assert_eq!(effects.len(), 9);
    assert_eq!(
        world::run(&Script::new(), || research("rust".into(), 1)).0,
        "rust: 1 findings"
    );
}

#[test]
fn cluster_assigns_and_checks_nodes() {
    let assign = |job: &str, nodes| ClusterEvent::Assign {
        job: job.into(),
        nodes,
    };
    let script = Script::new()
        .message(1, "cluster", assign("a", 2))
        .message(2, "cluster", assign("b", 5))
        .message(3, "cluster", assign("b", 1))
        .message(4, "cluster", ClusterEvent::Delete { job: "b".into() })
        .message(1_500, "cluster", ClusterEvent::Shutdown);
    let (output, _) = world::run(&script, cluster_manager);
    assert_eq!(output, Ok((2, 1)));
    assert!(
        world::run(&script.failing("assign_nodes"), cluster_manager)
            .0
            .is_err()
    );
}

#[test]
fn image_passes_through_all_steps() {
    let steps = [
        ImageStep::Generate {
            prompt: "cat".into(),
        },
        ImageStep::Blur { strength: 3 },
        ImageStep::Rotate(90),
    ];
    let (output, _) = world::run(&Script::new(), || process_image("i".into(), steps.to_vec()));
    assert_eq!(output.unwrap()[2], "i-2.png of i-1.png");
    assert!(
        world::run(&Script::new(), || process_image("i".into(), Vec::new()))
            .0
            .is_err()
    );
}
